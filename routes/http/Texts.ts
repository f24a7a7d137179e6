// The texts of pages and responses in the language of the request.
import type { HttpServerRequest } from "@effect/platform"
import type { Context, Effect } from "effect"
import * as ErrorResponse from "../../src/http/internal/ErrorResponse.ts"
import type { Language } from "../../src/http/Languages.ts"
import { languageOf } from "./internal/RequestTexts.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"

type Needs = HttpServerRequest.HttpServerRequest

/** The language of this request, chosen by `Accept-Language` among the program's `Languages`. */
export const language: Effect.Effect<Language, never, Needs> = RequestServices.read(languageOf)

/** The texts of a catalogue in the language of this request: `yield* Texts.of(AuthTexts.AuthTexts)`. */
export const of = <Id, Texts>(catalogue: Context.Reference<Id, Texts>): Effect.Effect<Texts, never, Needs> =>
  RequestServices.read((services: Context.Context<Needs>) => languageOf(services).texts(catalogue))

/**
 * What the response of this failure says, in the language of this request, for a page that says it itself.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import type { RateLimit } from "effect-framework/session"
 * import { Texts } from "effect-framework/routes/http"
 * import { Flash, Respond } from "effect-framework/routes/session"
 *
 * // "Zu viele Anfragen. Versuchen Sie es in 5 Sekunden erneut." for a reader of German.
 * export const refuse = (failure: RateLimit.TooManyRequests) =>
 *   Effect.flatMap(Texts.message(failure), (error) =>
 *     Respond.redirectWithFlash("/samples", Flash.error(error), { status: 429, value: { error } })
 *   )
 * ```
 */
export const message = (failure: Error): Effect.Effect<string, never, Needs> =>
  RequestServices.read((services: Context.Context<Needs>) => {
    const known = ErrorResponse.from(failure)
    return known?.translate?.(languageOf(services)) ?? known?.message ?? failure.message
  })
