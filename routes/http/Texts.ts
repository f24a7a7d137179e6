// The texts of pages and responses in the language of the request.
import type { HttpServerRequest } from "@effect/platform"
import type { Context, Effect } from "effect"
import type { Language } from "../../src/http/Languages.ts"
import { languageOf } from "./internal/RequestTexts.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"

type Needs = HttpServerRequest.HttpServerRequest

/** The language of this request, chosen by `Accept-Language` among the program's `Languages`. */
export const language: Effect.Effect<Language, never, Needs> = RequestServices.read(languageOf)

/** The texts of a catalogue in the language of this request: `yield* Texts.of(AuthTexts.AuthTexts)`. */
export const of = <Id, Texts>(catalogue: Context.Reference<Id, Texts>): Effect.Effect<Texts, never, Needs> =>
  RequestServices.read((services: Context.Context<Needs>) => languageOf(services).texts(catalogue))
