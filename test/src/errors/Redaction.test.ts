import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Redaction from "../../../src/errors/Redaction.ts"
import * as SecretNames from "../../../src/http/internal/text/SecretNames.ts"

describe("Redaction", () => {
  it.each([
    "authorization",
    "Authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "X-Auth-Request",
    "_token",
    "accessToken",
    "client_secret",
    "apiKey",
    "X-API-Key",
    "session",
    "sessionId",
    "password",
    "PASSWORD_CONFIRMATION",
    "pass-word",
    "credentials"
  ])("masks the value of %s", (name) => {
    expect(SecretNames.maskNamed(name, "value")).toBe("********")
  })

  it.each(["accept", "host", "page", "limit", "email", "id", "content-type", "user-agent"])(
    "shows the value of %s",
    (name) => {
      expect(SecretNames.maskNamed(name, "value")).toBe("value")
    }
  )

  it.prop("has the same length whatever it hides", [FastCheck.string()], ([text]) => {
    expect(SecretNames.maskNamed("password", text)).toHaveLength(8)
  })

  it.each([
    ["postgres://app:hunter22@db:5432/x refused", "postgres://app:********@db:5432/x refused"],
    ["sent Authorization: Bearer abc.def-123", "sent Authorization: Bearer ********"],
    ["GET /x?page=2&access_token=abc123 failed", "GET /x?page=2&access_token=******** failed"],
    [
      'expected string, actual {"password":"hunter22","page":2}',
      'expected string, actual {"password":********,"page":2}'
    ],
    ["{ apiKey: 'abc', page: 'x' }", "{ apiKey: ********, page: 'x' }"],
    ["Unexpected token: }", "Unexpected token: }"],
    ['cut off: {"password":"hunter2', 'cut off: {"password":********'],
    ["password='hun\\'ter2' and more", "password=******** and more"],
    ["note=password=hunter22", "note=password=********"],
    ['body "token=hunter22"', 'body "token=********"'],
    ["a://b://app:hunter22@db", "a://b://app:********@db"],
    ["a=b is fine", "a=b is fine"]
  ])("finds the secret in %j", (given, expected) => {
    expect(Redaction.text(given)).toBe(expected)
  })
})
