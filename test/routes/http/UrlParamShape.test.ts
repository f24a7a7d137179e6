import { expect, it } from "@effect/vitest"
import { Schema } from "effect"
import * as UrlParamShape from "../../../routes/http/internal/api/UrlParamShape.ts"

const shaped = (schema: Schema.Schema.Any) => UrlParamShape.shaped(schema.ast, { a: "1", b: ["1", "2"], c: "3" })

it("A parameter that the schema has as a text stays one, any other becomes a list", () => {
  const List = Schema.Array(Schema.String)
  expect(shaped(Schema.Struct({ a: Schema.NumberFromString }))).toEqual({ a: "1", b: ["1", "2"], c: ["3"] })
  expect(shaped(Schema.Struct({ a: List }))).toMatchObject({ a: ["1"] })
  expect(shaped(Schema.Struct({ a: Schema.optional(List), c: Schema.Literal("3") }))).toMatchObject({
    a: ["1"],
    c: "3"
  })
  expect(shaped(Schema.Union(Schema.Struct({ a: List }), Schema.Struct({ c: Schema.Date })))).toMatchObject({
    a: ["1"],
    c: "3"
  })
})

it("A record says it for the names that its key allows", () => {
  const record = Schema.Record({ key: Schema.Literal("a"), value: Schema.suspend(() => Schema.NumberFromString) })
  expect(shaped(record)).toMatchObject({ a: "1", c: ["3"] })
})

it("A name of the prototype is a parameter like any other", () => {
  const params = JSON.parse('{ "__proto__": "x", "constructor": "y" }')
  const result = UrlParamShape.shaped(Schema.Struct({ a: Schema.String }).ast, params)
  expect([Object.getPrototypeOf(result), result["constructor"]]).toEqual([Object.prototype, ["y"]])
})
