// The envelope of every failure of an API: `{ "error": sentence, "_tag": name, "fields"?, …facts }`.
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Context } from "effect"
import * as ErrorBody from "../../../src/errors/internal/ErrorBody.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import { idOf } from "../../../src/http/internal/RequestState.ts"
import * as Status from "../../../src/http/internal/text/Status.ts"
import * as RequestTexts from "../../http/internal/RequestTexts.ts"
import * as StatusResponse from "./StatusResponse.ts"

/** The response of a failure with its status, and with its name and facts as they are declared. */
export const respond = (
  failure: unknown,
  status: number,
  facts: Readonly<Record<string, unknown>>,
  context: Context.Context<HttpServerRequest.HttpServerRequest>
): HttpServerResponse.HttpServerResponse => {
  const { headers } = Context.get(context, HttpServerRequest.HttpServerRequest)
  const language = RequestTexts.languageOf(context)
  const known = ErrorResponse.from(failure)
  const text = Status.text(status, language.texts(HttpTexts).statuses)
  const sentence = known?.translate?.(language) ?? known?.message ?? text
  // The challenge of a 401 is that of the guard.
  const { "www-authenticate": _challenge, ...lines } = known === undefined ? {} : ErrorResponse.headers(known)
  const told = known?.fields === undefined || "fields" in facts ? facts : { ...facts, fields: known.fields }
  if (StatusResponse.kind(headers["accept"], true) !== "application/problem+json") {
    const body = ErrorBody.status(sentence, undefined, told)
    return StatusResponse.send(status, "application/json", JSON.stringify(body), lines)
  }
  const { error: own, ...rest } = told
  const said = typeof own === "string" ? own : sentence
  const body = ErrorBody.problem(status, said, { id: idOf(context), title: text, facts: rest })
  return StatusResponse.send(status, "application/problem+json", JSON.stringify(body), lines)
}
