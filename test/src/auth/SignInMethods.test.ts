import { expect, it } from "@effect/vitest"
import { canSignIn, type Methods } from "../../../src/auth/internal/WaysIn.ts"

it.each<[string, Methods, boolean]>([
  ["a password", { password: "set", passkeys: 0, identities: 0 }, true],
  ["a passkey", { password: "none", passkeys: 1, identities: 0 }, true],
  ["an identity", { password: "none", passkeys: 0, identities: 1 }, true],
  ["a passkey and an identity beside a locked password", { password: "locked", passkeys: 1, identities: 1 }, true],
  ["a locked password", { password: "locked", passkeys: 0, identities: 0 }, false],
  ["nothing", { password: "none", passkeys: 0, identities: 0 }, false]
])("%s signs in to an account, or not", (_, methods, expected) => {
  expect(canSignIn(methods)).toBe(expected)
})
