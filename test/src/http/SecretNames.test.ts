import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as SecretNames from "../../../src/http/internal/text/SecretNames.ts"

describe("a name", () => {
  it.each([
    "pass_word",
    "passWord",
    "passwd",
    "newPassword",
    "password_confirmation",
    "Passwort",
    "PASSWORD",
    "X-Api-Key",
    "apikey",
    "apiKey",
    "APIKEY",
    "privatekey",
    "mon_key",
    "turkey_key",
    "sessionId",
    "Set-Cookie",
    "_token",
    "clientSecret",
    "aws_credentials",
    "Authorization",
    "Proxy-Authorization",
    "www-authenticate",
    "oauth",
    "auth",
    "authCode",
    "author_token",
    "otp",
    "OTP",
    "login_otp",
    "userPin",
    "cvc",
    "pwd",
    "current",
    "Current"
  ])("has a secret value: %s", (name) => {
    expect([SecretNames.isSecret(name), SecretNames.isSecretField(name)]).toEqual([true, true])
  })

  it.each([
    "page",
    "accept",
    "title",
    "email",
    "remember",
    "",
    "shipping",
    "spinner",
    "currency",
    "current_page",
    "laptop"
  ])("has no secret value: %s", (name) => {
    expect([SecretNames.isSecret(name), SecretNames.isSecretField(name)]).toEqual([false, false])
  })

  it.each([
    "author",
    "Authors",
    "co_author",
    "coauthor",
    "bookAuthor",
    "authority",
    "keywords",
    "search_keyboards",
    "monkey",
    "hockey"
  ])("is masked in reports, and kept in a form that is shown again: %s", (name) => {
    expect([SecretNames.isSecret(name), SecretNames.isSecretField(name)]).toEqual([true, false])
  })

  it.each(["code", "Code", "pending", "enrolment"])(
    "is masked as a field that was sent, and nowhere else: %s",
    (name) => {
      expect([SecretNames.isSecretInput(name), SecretNames.isSecret(name)]).toEqual([true, false])
    }
  )

  it("is masked as a field wherever it is masked at all", () => {
    expect(["password", "email", "postcode"].map(SecretNames.isSecretInput)).toEqual([true, false, false])
  })

  const secret = FastCheck.constantFrom("auth", "token", "secret", "key", "session", "password", "credential", "cookie")
  const around = FastCheck.stringMatching(/^[A-Za-z0-9 _.-]{0,12}$/)

  it.prop("is secret with a secret word among others, in any case", [around, secret, around], ([left, word, right]) => {
    for (const name of [`${left}_${word}_${right}`, `${left}-${word.toUpperCase()}-${right}`]) {
      expect([SecretNames.isSecret(name), SecretNames.isSecretField(name)]).toEqual([true, true])
    }
  })

  it.prop("is masked wherever a secret word is in it", [around, secret, around], ([left, word, right]) => {
    expect(SecretNames.isSecret(`${left}${word}${right}`)).toBe(true)
  })
})
