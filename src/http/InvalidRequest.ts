// A request that does not have the shape that an endpoint of an `HttpApi` declares.
import { Schema } from "effect"
import * as ErrorResponse from "./internal/ErrorResponse.ts"
import { english, HttpTexts } from "./HttpTexts.ts"

const statuses = { body: 422, path: 400, query: 400, headers: 400 } as const

/**
 * The request does not have the shape that its endpoint declares: 422 for the body, 400 for the path, the query and the
 * headers. `fields` has what was expected, by path, and never what was sent.
 *
 * @example
 * ```ts
 * import { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
 * import { Console, Effect, Schema } from "effect"
 * import { InvalidRequest } from "effect-framework/http"
 *
 * const order = HttpApiEndpoint.post("order", "/orders").setPayload(Schema.Struct({ tea: Schema.NonEmptyString }))
 *
 * const Shop = HttpApi.make("shop").add(HttpApiGroup.make("orders").add(order)).addError(InvalidRequest.errors)
 *
 * const complain = ({ fields }: InvalidRequest.InvalidRequest) => Console.error("The server expects", fields)
 *
 * export const program = Effect.flatMap(HttpApiClient.make(Shop), ({ orders }) =>
 *   orders.order({ payload: { tea: "assam" } })
 * ).pipe(Effect.catchTag("InvalidRequest", complain))
 * ```
 */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>("effect-framework/http/InvalidRequest")(
  "InvalidRequest",
  {
    part: Schema.Literal("body", "path", "query", "headers"),
    fields: Schema.Record({ key: Schema.String, value: Schema.String })
  },
  ErrorResponse.declared(422, "The body does not have the shape that the endpoint declares.")
) {
  override get message() {
    return english.refusal[this.part === "body" ? "invalidBody" : "invalidAddress"]
  }
  get [ErrorResponse.symbol]() {
    const { fields, message, part } = this
    return ErrorResponse.of(statuses[part], {
      message,
      fields,
      translate: ({ texts }) => texts(HttpTexts).refusal[part === "body" ? "invalidBody" : "invalidAddress"]
    })
  }
}

/**
 * `InvalidRequest` with both of its statuses, for an API whose derived client is to see it.
 *
 * @example
 * ```ts
 * import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
 * import { Schema } from "effect"
 * import { InvalidRequest } from "effect-framework/http"
 *
 * const Note = Schema.Struct({ text: Schema.NonEmptyString })
 *
 * const notes = HttpApiGroup.make("notes").add(HttpApiEndpoint.post("add", "/notes").setPayload(Note))
 *
 * export class Api extends HttpApi.make("notes").add(notes).addError(InvalidRequest.errors) {}
 * ```
 */
export const errors = Schema.Union(
  InvalidRequest,
  InvalidRequest.annotations(
    ErrorResponse.declared(400, "The path, the query or a header does not have the shape that the endpoint declares.")
  )
)
