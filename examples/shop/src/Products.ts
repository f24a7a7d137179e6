// The products: a paginated list, and one by the number in the path.
import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Option, Schema } from "effect"
import type { Languages } from "effect-framework/http"
import { SqlRepository } from "effect-framework/layers/pagination"
import { Column, Entity, type Repository } from "effect-framework/pagination"

const Product = Entity.make("products", {
  key: "id",
  columns: {
    id: Column.integer,
    name: Column.text,
    price: Column.integer,
    stock: Column.integer,
    picture: Column.text
  }
})
export type Product = (typeof Product)["schema"]["Type"]

export class Products extends Context.Tag("shop/Products")<Products, Repository.For<typeof Product>>() {}

export const layer = SqlRepository.layer(Products, Product)

/** What `npm run export` writes. */
export const collections = { products: SqlRepository.make(Product) } as const

/** The path has no number of a product: 404. */
export class NoProduct extends Schema.TaggedError<NoProduct>()("NoProduct", {}) {}

// Beyond this PostgreSQL would refuse the number with an error.
const Id = Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 2 ** 31 - 1))

/** The product of `/products/:id`. */
export const current = Effect.gen(function* () {
  const { id } = yield* HttpLayerRouter.schemaPathParams(Schema.Struct({ id: Id }))
  const sql = yield* SqlClient.SqlClient
  const [product] = yield* Effect.orDie(sql<Product>`SELECT * FROM products WHERE id = ${id}`)
  return yield* Option.fromNullable(product)
}).pipe(Effect.mapError(() => new NoProduct()))

/** A price in cents, in the reader's own form. */
export const money = (cents: number, { locale }: Languages.Language): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency: "EUR" }).format(cents / 100)
