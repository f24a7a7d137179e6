// Every sentence of the shop, in English and in German.
import { Context, Layer } from "effect"
import { German } from "effect-framework/texts"

const english = {
  products: "Products",
  empty: "There is nothing to buy yet.",
  left: (count: number) => (count === 0 ? "sold out" : `${count} left`),
  pages: "Pages",
  newer: "← Newer",
  older: "Older →",
  all: "All products",
  noProduct: "There is no such product.",
  pictureOf: (name: string) => `A picture of ${name}`,
  quantity: "Quantity",
  wrongQuantity: "Order between 1 and 99 pieces.",
  order: "Order",
  orders: "My orders",
  noOrders: "You have not ordered anything.",
  ordered: (quantity: number, name: string) => `Thank you for ordering ${quantity} × ${name}. We confirm it by e-mail.`,
  soldOut: "There are not so many left.",
  confirmation: {
    subject: (name: string) => `Your order: ${name}`,
    text: (who: string, quantity: number, name: string, price: string) =>
      `Hello ${who}, thank you for ordering ${quantity} × ${name} for ${price}.`
  },
  displayName: "Display name",
  role: "Role",
  roles: { customer: "Customer", admin: "Admin" },
  admin: "Administration",
  newProduct: "A new product",
  name: "Name",
  price: "Price in euros",
  stock: "Pieces in stock",
  picture: "Picture",
  pictureHint: "JPEG, PNG or WebP, at most 2 MiB.",
  wrongName: "Write 1 to 80 characters.",
  wrongNumber: (most: number) => `Write a number from 0 to ${most}.`,
  add: "Add the product",
  added: "The product can be ordered.",
  reports: "Stock reports",
  report: (orders: number, stock: number) => `${orders} orders so far, ${stock} pieces in stock`
}

export class ShopTexts extends Context.Reference<ShopTexts>()("shop/Texts", { defaultValue: () => english }) {}

const inGerman = Layer.succeed(ShopTexts, {
  products: "Produkte",
  empty: "Noch gibt es nichts zu kaufen.",
  left: (count) => (count === 0 ? "ausverkauft" : `noch ${count}`),
  pages: "Seiten",
  newer: "← Neuere",
  older: "Ältere →",
  all: "Alle Produkte",
  noProduct: "Dieses Produkt gibt es nicht.",
  pictureOf: (name) => `Ein Bild von ${name}`,
  quantity: "Anzahl",
  wrongQuantity: "Bestellen Sie zwischen 1 und 99 Stück.",
  order: "Bestellen",
  orders: "Meine Bestellungen",
  noOrders: "Sie haben noch nichts bestellt.",
  ordered: (quantity, name) => `Danke! Sie haben ${quantity} × ${name} bestellt. Wir bestätigen es per E-Mail.`,
  soldOut: "So viele sind nicht mehr da.",
  confirmation: {
    subject: (name) => `Ihre Bestellung: ${name}`,
    text: (who, quantity, name, price) =>
      `Guten Tag ${who}, vielen Dank für Ihre Bestellung: ${quantity} × ${name} für ${price}.`
  },
  displayName: "Anzeigename",
  role: "Rolle",
  roles: { customer: "Kunde", admin: "Verwalter" },
  admin: "Verwaltung",
  newProduct: "Ein neues Produkt",
  name: "Name",
  price: "Preis in Euro",
  stock: "Stück auf Lager",
  picture: "Bild",
  pictureHint: "JPEG, PNG oder WebP, höchstens 2 MiB.",
  wrongName: "Schreiben Sie 1 bis 80 Zeichen.",
  wrongNumber: (most) => `Schreiben Sie eine Zahl von 0 bis ${most}.`,
  add: "Produkt anlegen",
  added: "Das Produkt kann bestellt werden.",
  reports: "Lagerberichte",
  report: (orders, stock) => `bisher ${orders} Bestellungen, ${stock} Stück auf Lager`
})

/** The sentences of the shop and of the framework. */
export const german = Layer.merge(German.layer, inGerman)
