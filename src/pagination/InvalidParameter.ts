// A query parameter of a list that is not as the list declares it.
import { Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { english, HttpTexts } from "../http/HttpTexts.ts"

/**
 * A query parameter with a value that its list does not take; the response is 400. What was sent is not repeated.
 *
 * @example
 * ```ts
 * import { Either } from "effect"
 * import { Column, Entity, type InvalidParameter, type Links, ListQuery, Selection } from "effect-framework/pagination"
 *
 * const Tea = Entity.make("teas", { key: "id", columns: { id: Column.integer, grams: Column.integer } })
 * const parameters = ListQuery.make(Tea, { sort: ["id"], filters: { grams: { column: "grams" } } })
 *
 * // A page that shows all teas and what is wrong, in place of a response with 400.
 * export const chosen = (request: Links.ListRequest) =>
 *   Either.match(parameters.decode(request), {
 *     onLeft: ({ expected, parameter }: InvalidParameter.InvalidParameter) => ({
 *       selection: Selection.from(Tea),
 *       problem: `${parameter} must be ${expected}.`
 *     }),
 *     onRight: ({ selection }) => ({ selection, problem: undefined })
 *   })
 * ```
 */
export class InvalidParameter extends Schema.TaggedError<InvalidParameter>(
  "effect-framework/pagination/InvalidParameter"
)(
  "InvalidParameter",
  {
    parameter: Schema.String,
    /** An unknown sort, a value of another type, one that is too long, or a parameter that was sent twice. */
    problem: Schema.Literal("sort", "value", "long", "repeated"),
    /** What the value must be. */
    expected: Schema.String
  },
  ErrorResponse.declared(400, "A query parameter has a value that the list does not take.")
) {
  override get message() {
    return english.refusal.invalidParameter(this.parameter, this.problem, this.expected)
  }
  get [ErrorResponse.symbol]() {
    const { expected, parameter, problem } = this
    return ErrorResponse.of(400, {
      message: this.message,
      fields: { [parameter]: expected },
      translate: ({ texts }) => texts(HttpTexts).refusal.invalidParameter(parameter, problem, expected)
    })
  }
}
