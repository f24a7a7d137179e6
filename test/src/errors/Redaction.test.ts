import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Redaction from "../../../src/errors/Redaction.ts"

describe("Mask", () => {
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
    expect(Redaction.value(name, "value")).toBe("********")
  })

  it.each(["accept", "host", "page", "limit", "email", "id", "content-type", "user-agent"])(
    "shows the value of %s",
    (name) => {
      expect(Redaction.value(name, "value")).toBe("value")
    }
  )

  it.prop("has the same length whatever it hides", [FastCheck.string()], ([text]) => {
    expect(Redaction.value("password", text)).toHaveLength(8)
  })

  it("masks a record by its names", () => {
    expect(Redaction.record({ cookie: "a=b", accept: "*/*", gone: undefined })).toEqual({
      cookie: "********",
      accept: "*/*"
    })
  })

  it("masks query values by their decoded names and keeps the order", () => {
    expect(Redaction.query("?page=2&tok%65n=abc&q=a+b&access%5Fkey&%E0%A4%A=1")).toEqual([
      ["page", "2"],
      ["token", "********"],
      ["q", "a b"],
      ["access_key", "********"],
      ["%E0%A4%A", "1"]
    ])
  })

  it("hides parts of a path that look like tokens", () => {
    const verifier = "ab".repeat(32)
    expect(Redaction.path(`/verify/0123456789abcdef/${verifier}/x`)).toBe("/verify/********/********/x")
    expect(Redaction.path("/articles/how-to-hide-a-token")).toBe("/articles/how-to-hide-a-token")
    expect(Redaction.tokenSegments(`/reset/0123456789abcdef/${verifier}`)).toEqual(["0123456789abcdef", verifier])
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

  it.prop(
    "hides every given secret wherever it stands",
    [FastCheck.string(), FastCheck.string({ minLength: 6 }), FastCheck.string()],
    ([before, secret, after]) => {
      const secrets = Redaction.secrets([["password", secret]])
      FastCheck.pre(!before.includes(secret) && !after.includes(secret) && !Redaction.mask.includes(secret))
      const shown = Redaction.text(`${before}${secret}${after}`, secrets)
      // What is left cannot contain it, unless the neighbours and the mask happen to spell it again.
      expect(shown.replaceAll(Redaction.mask, "\u0001")).not.toContain(secret)
    }
  )

  it("takes each cookie of a header as a secret of its own", () => {
    const secrets = Redaction.secrets([["cookie", "session=0123456789; theme=dark-one"]])
    expect(Redaction.text("lost session 0123456789 and dark-one", secrets)).toBe("lost session ******** and ********")
  })

  it.each([
    ["Bearer abcdef123456", "abcdef123456"],
    [`Basic ${btoa("ada:open sesame")}`, "open sesame"],
    [`Basic ${btoa("ada:open sesame")}`, btoa("ada:open sesame")],
    ["a%20longer%20secret", "a longer secret"]
  ])("takes the value %j apart and finds %j", (value, secret) => {
    const secrets = Redaction.secrets([["authorization", value]])
    expect(Redaction.text(`Basic and Bearer stay, ${secret} goes`, secrets)).toBe(
      "Basic and Bearer stay, ******** goes"
    )
  })

  it("leaves short values alone: they would blank harmless text", () => {
    expect(Redaction.secrets([["token", "on"]])).toEqual([])
  })
})
