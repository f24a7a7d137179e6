import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc, Redacted, Schema } from "effect"
import * as Form from "../../../src/auth/internal/Form.ts"

const Chosen = Schema.Struct({
  email: Form.Email,
  password: Form.NewPassword,
  password_confirmation: Form.Confirmation
}).pipe(Schema.filter(Form.passwordsMatch), Schema.filter(Form.passwordIsNotEmail))

const decode = Schema.decodeUnknownEither(Chosen)
const decodeEmail = Schema.decodeUnknownEither(Form.Email)
const decodeGiven = Schema.decodeUnknownEither(Form.CurrentPassword)

describe("Form", () => {
  it("gives the e-mail in the spelling that accounts are known by", () => {
    expect(decodeEmail("  Some.One@Example.COM ")).toEqual(Either.right("some.one@example.com"))
  })

  it.each(["", " ", "someone", "@example.com", "a@", "a b@example.com", "a@b@c", "a,b@example.com", '"a"@example.com'])(
    "takes %j for no e-mail",
    (text) => expect(Either.isLeft(decodeEmail(text))).toBe(true)
  )

  it.prop("takes no e-mail with a control character in it", [fc.nat({ max: 31 }), fc.boolean()], ([code, before]) => {
    const character = String.fromCharCode(code)
    const email = before ? `a${character}b@example.com` : `ab@exam${character}ple.com`
    expect(Either.isLeft(decodeEmail(email))).toBe(true)
  })

  it("takes an old password as it is, and none that no hash was ever made of", () => {
    expect(Either.isRight(decodeGiven("123"))).toBe(true)
    expect(Either.isLeft(decodeGiven(""))).toBe(true)
    expect(Either.isLeft(decodeGiven("x".repeat(1025)))).toBe(true)
  })

  it.prop("hides every password it takes", [fc.string({ minLength: 12, maxLength: 60 })], ([password]) => {
    const decoded = decode({ email: "a@example.com", password, password_confirmation: password })
    if (Either.isLeft(decoded)) return
    expect(Redacted.value(decoded.right.password)).toBe(password)
    expect(JSON.stringify(decoded.right)).not.toContain(JSON.stringify(password).slice(1, -1))
  })

  it("requires the second password to equal the first, when there is one", () => {
    const password = "quiet harbour"
    expect(Either.isRight(decode({ email: "a@example.com", password }))).toBe(true)
    expect(Either.isRight(decode({ email: "a@example.com", password, password_confirmation: password }))).toBe(true)
    for (const password_confirmation of ["", "quiet harbour ", "Quiet harbour"]) {
      expect(Either.isLeft(decode({ email: "a@example.com", password, password_confirmation }))).toBe(true)
    }
  })

  it("refuses the e-mail as password in any case", () => {
    expect(Either.isLeft(decode({ email: "some.one@example.com", password: "Some.One@example.com" }))).toBe(true)
  })
})
