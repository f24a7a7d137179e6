import { expect, it } from "@effect/vitest"
import { BodyTooLarge, MalformedBody, TooManyParts, UnsupportedMediaType } from "../../../src/http/BodyError.ts"

it.each([
  [new BodyTooLarge({ limit: 1024 }), "The body is longer than 1024 bytes."],
  [new MalformedBody({ reason: "The body ends early." }), "The body ends early."],
  [new TooManyParts({ limit: 3 }), "The form has more than 3 parts."],
  [new UnsupportedMediaType({ contentType: "<script>" }), "Send application/x-www-form-urlencoded or application/json."]
])("%s has a message that repeats nothing from the body", (error, message) => {
  expect(error.message).toBe(message)
})
