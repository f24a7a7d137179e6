import { describe, expect, it } from "@effect/vitest"
import { Record, Schema } from "effect"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import { BodyTooLarge, MalformedBody, TooManyParts, UnsupportedMediaType } from "../../../src/http/BodyError.ts"
import { english } from "../../../src/http/HttpTexts.ts"
import * as Languages from "../../../src/http/Languages.ts"

it.each([
  [new BodyTooLarge({ limit: 1024 }), "The body is longer than 1024 bytes."],
  [new MalformedBody({ reason: "endedEarly" }), "The body ended too early."],
  [new TooManyParts({ limit: 3 }), "The form has more than 3 parts."],
  [new UnsupportedMediaType({ contentType: "<script>" }), "Send application/x-www-form-urlencoded or application/json."]
])("%s has a message that repeats nothing from the body", (error, message) => {
  expect(error.message).toBe(message)
})

describe("a malformed body", () => {
  const shouted = { ...english, body: Record.map(english.body, (text) => text.toUpperCase()) }
  const language = { ...Languages.english, texts: () => shouted } as Languages.Language

  it.each(Record.keys(english.body))("has the text of its reason in the language of the request: %s", (reason) => {
    const error = Schema.decodeUnknownSync(MalformedBody.fields.reason)(reason)
    const response = new MalformedBody({ reason: error })[ErrorResponse.symbol]
    expect(response).toMatchObject({ status: 400, message: english.body[reason] })
    expect(response.translate?.(language)).toBe(shouted.body[reason])
  })
})

it.each([
  [new BodyTooLarge({ limit: 1 }), 413],
  [new TooManyParts({ limit: 1 }), 413],
  [new UnsupportedMediaType({ contentType: "" }), 415]
])("%s has the status %s", (error, status) => {
  expect(ErrorResponse.from(error)?.status).toBe(status)
})
