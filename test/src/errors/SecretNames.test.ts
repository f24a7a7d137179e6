import { describe, expect, it } from "@effect/vitest"
import * as SecretNames from "../../../src/errors/SecretNames.ts"

describe("a name", () => {
  it.each(["pass_word", "X-Api-Key", "sessionId", "Set-Cookie", "Authorization"])("has a secret value: %s", (name) => {
    expect(SecretNames.isSecret(name)).toBe(true)
  })

  it.each(["page", "accept", ""])("has no secret value: %s", (name) => {
    expect(SecretNames.isSecret(name)).toBe(false)
  })
})
