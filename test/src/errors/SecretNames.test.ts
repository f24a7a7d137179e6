import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as SecretNames from "../../../src/errors/SecretNames.ts"

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
    expect(SecretNames.isSecret(name)).toBe(true)
  })

  it.each([
    "page",
    "accept",
    "title",
    "email",
    "remember",
    "",
    "author",
    "Authors",
    "co_author",
    "coauthor",
    "bookAuthor",
    "authority",
    "keywords",
    "search_keyboards",
    "monkey",
    "hockey",
    "shipping",
    "spinner",
    "currency",
    "current_page",
    "laptop"
  ])("has no secret value: %s", (name) => {
    expect(SecretNames.isSecret(name)).toBe(false)
  })

  const secret = FastCheck.constantFrom("auth", "token", "secret", "key", "session", "password", "credential", "cookie")
  const around = FastCheck.stringMatching(/^[A-Za-z0-9 _.-]{0,12}$/)

  it.prop("is secret with a secret word among others, in any case", [around, secret, around], ([left, word, right]) => {
    expect(SecretNames.isSecret(`${left}_${word}_${right}`)).toBe(true)
    expect(SecretNames.isSecret(`${left}-${word.toUpperCase()}-${right}`)).toBe(true)
  })
})
