// Orders by form and by fetch: stock, order and confirmation in one transaction.
import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Identity } from "effect-framework/session"
import { Html } from "effect-framework/http"
import { Mailer } from "effect-framework/mail"
import { Access } from "effect-framework/routes/auth"
import { Flash, FormState, Page, Respond } from "effect-framework/routes/session"
import { Texts } from "effect-framework/routes/http"
import { noProduct, view } from "./Catalogue.ts"
import * as Confirmation from "./Confirmation.ts"
import { Customer } from "./Customers.ts"
import { current, money, type Product } from "./Products.ts"
import { Sales } from "./Sales.ts"
import { ShopTexts } from "./Texts.ts"

const { html } = Html

const Draft = ({ wrongQuantity }: typeof ShopTexts.Service) =>
  Schema.Struct({
    quantity: Schema.NumberFromString.annotations({ message: () => wrongQuantity }).pipe(
      Schema.int({ message: () => wrongQuantity }),
      Schema.between(1, 99, { message: () => wrongQuantity })
    )
  })

class SoldOut extends Schema.TaggedError<SoldOut>()("SoldOut", {}) {}

/** With the queue the stock, the order and its confirmation are one transaction. */
const place = Effect.fn("Orders.place")(function* (product: Product, quantity: number) {
  const sql = yield* SqlClient.SqlClient
  const { email, id: customer_id } = yield* Identity.CurrentIdentity
  const { display_name } = yield* Customer.current
  const to = { email, name: display_name }
  const message = yield* Confirmation.make(to, product, quantity, yield* Texts.language)
  const written = Effect.gen(function* () {
    // Of two orders of the last piece the second waits for the first here, and finds nothing.
    const taken = yield* sql`UPDATE products SET stock = stock - ${quantity}
      WHERE id = ${product.id} AND stock >= ${quantity} RETURNING id`
    if (taken.length === 0) return yield* new SoldOut()
    yield* sql`INSERT INTO orders ${sql.insert({ product_id: product.id, customer_id, quantity })}`
    return message
  })
  yield* Mailer.sendOrLog(sql.withTransaction(written)).pipe(Effect.catchTag("SqlError", Effect.die))
})

const order = Effect.gen(function* () {
  const texts = yield* Texts.of(ShopTexts)
  const product = yield* current
  const draft = Draft(texts)
  return yield* Effect.gen(function* () {
    const { quantity } = yield* FormState.read(draft)
    yield* place(product, quantity).pipe(
      Effect.catchTag("SoldOut", () => FormState.invalid(draft, { status: 409, error: texts.soldOut }))
    )
    const { orders } = yield* Sales
    orders.increment()
    const message = texts.ordered(quantity, product.name)
    return yield* Respond.redirectWithFlash("/orders", Flash.success(message), { status: 201, value: { message } })
  }).pipe(Effect.catchTag("InvalidForm", (invalid) => Respond.renderInvalid(invalid, view(product, invalid))))
}).pipe(Effect.catchTag("NoProduct", () => noProduct))

const mine = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* Identity.CurrentIdentity
  const language = yield* Texts.language
  const texts = language.texts(ShopTexts)
  const rows = yield* Effect.orDie(sql<{ name: string; price: number; quantity: number }>`
    SELECT name, price, quantity FROM orders JOIN products ON products.id = product_id
    WHERE customer_id = ${id} ORDER BY orders.id DESC LIMIT 50`)
  const main = html`<h1>${texts.orders}</h1>
    <div class="card">
      <ul class="list">
        ${rows.map(
          ({ name, price, quantity }) =>
            html`<li><span>${quantity} × ${name}</span> ${money(price * quantity, language)}</li>`
        )}
        ${rows.length === 0 && html`<li>${texts.noOrders}</li>`}
      </ul>
    </div>`
  return yield* Page.render({ title: texts.orders, main })
})

export const routes = [
  HttpLayerRouter.route("POST", "/products/:id/orders", Access.requireUser(order)),
  HttpLayerRouter.route("GET", "/orders", Access.requireUser(mine))
]
