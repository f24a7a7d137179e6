import { expect, it } from "@effect/vitest"
import { HttpApiSchema, HttpServerResponse } from "@effect/platform"
import { Effect, Either, ParseResult, Schema } from "effect"
import * as ApiEncoding from "../../../routes/http/internal/api/ApiEncoding.ts"

const Created = Schema.Struct({ id: Schema.NumberFromString }).annotations(HttpApiSchema.annotations({ status: 201 }))
const Later = Schema.transformOrFail(Schema.String, Schema.String, {
  decode: ParseResult.succeed,
  encode: (text) => Effect.as(Effect.yieldNow(), text)
})

const shown = ({ body, headers, status }: HttpServerResponse.HttpServerResponse) => [
  status,
  headers["content-type"],
  headers["content-length"],
  body._tag === "Raw" ? body.body : body._tag
]

it("A success is encoded at once, with the status and the type of the member that it is", () => {
  const encode = ApiEncoding.encoderOf(Schema.Union(Created, HttpApiSchema.Text(), HttpApiSchema.NoContent))
  const now = (value: unknown) => {
    const encoded = encode(value)
    return Either.isEither(encoded) && Either.isRight(encoded) ? shown(encoded.right) : encoded
  }
  expect(now({ id: 7 })).toEqual([201, "application/json", "10", '{"id":"7"}'])
  expect(now(undefined)).toEqual([204, undefined, undefined, "Empty"])
  expect(now("é")).toEqual([200, "text/plain", "2", "é"])
  const response = HttpServerResponse.text("as it is")
  expect(encode(response)).toEqual(Either.right(response))
})

it.effect("It takes an effect only where a schema needs one", () =>
  Effect.gen(function* () {
    const encoded = ApiEncoding.encoderOf(Later)("late")
    expect(Either.isEither(encoded)).toBe(false)
    expect(shown(yield* encoded)).toEqual([200, "application/json", "6", '"late"'])
  })
)

it("What no member allows, and what is no JSON, is an issue", () => {
  for (const [schema, value] of [
    [Schema.String, 7],
    [Schema.Unknown, 7n]
  ] as const) {
    const encoded = ApiEncoding.encoderOf(schema)(value)
    expect(Either.isEither(encoded) && Either.isLeft(encoded)).toBe(true)
  }
})
