import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc, Schema } from "effect"
import * as Users from "../../../src/auth/Users.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import { parseAddress } from "../../../src/mail/MailMessage.ts"

describe("Users.normalizeEmail", () => {
  it.each([
    ["  Someone@Example.COM\n", "someone@example.com"],
    ["Ann@\uff22\u00fccher\u3002example", "ann@xn--bcher-kva.example"],
    ["\u212Aate@example.com", "\u212Aate@example.com"],
    ["\u0130@example.com", "\u0130@example.com"],
    ["jose\u0301@example.com", "jose\u0301@example.com"],
    ["jos\u00e9@example.com", "jos\u00e9@example.com"],
    ["\uff41nn@example.com", "\uff41nn@example.com"],
    ["STRASSE@example.com", "strasse@example.com"],
    ["STRAẞE@example.com", "straẞe@example.com"],
    ["a@example.com.", "a@example.com."],
    ["a@[127.0.0.1]", "a@[127.0.0.1]"],
    ["no address", "no address"]
  ])("writes %j as %j", (given, expected) => {
    expect(Users.normalizeEmail(given)).toBe(expected)
  })

  const text = fc.string({ unit: "binary", maxLength: 24 })
  const email = fc.oneof(
    text,
    fc
      .tuple(text, fc.constantFrom("@", "@\uff20", "@@"), text, fc.constantFrom(".com", "\u3002COM", ""))
      .map((parts) => parts.join("")),
    fc
      .tuple(
        text,
        fc.webUrl().map((url) => new URL(url).hostname)
      )
      .map(([name, host]) => `${name}@${host}`)
  )

  it("changes nothing when it is applied again", () => {
    fc.assert(
      fc.property(email, (given) => {
        const once = Users.normalizeEmail(given)
        expect(Users.normalizeEmail(once)).toBe(once)
      }),
      { numRuns: 2000 }
    )
  })

  it("keeps the name before the @ but for the case of A to Z and the space around", () => {
    fc.assert(
      fc.property(email, (given) => {
        const trimmed = given.trim()
        const normal = Users.normalizeEmail(given)
        const name = trimmed.slice(0, trimmed.lastIndexOf("@") + 1)
        expect(normal.startsWith(name.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))).toBe(true)
      }),
      { numRuns: 2000 }
    )
  })

  it("is the address that a message is sent to, for every e-mail that a form takes", () => {
    const decode = Schema.decodeUnknownEither(Form.Email)
    fc.assert(
      fc.property(email, (given) => {
        const taken = decode(given)
        if (Either.isRight(taken)) expect(parseAddress(taken.right)).toEqual(Either.right(taken.right))
      }),
      { numRuns: 2000 }
    )
  })
})
