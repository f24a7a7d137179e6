import { describe, expect, it } from "@effect/vitest"
import * as PasswordHash from "../../../src/auth/internal/passwords/PasswordHash.ts"

const argon = (parameters: string) => `$argon2id$v=19$${parameters}$c29tZXNhbHRzb21lc2FsdA$${"A".repeat(43)}`

const bcrypt = `$2b$10$${"a".repeat(53)}`

describe("PasswordHash.isStale", () => {
  it.each([
    ["today's parameters", argon("m=65536,t=3,p=1"), false],
    ["stronger ones", argon("m=131072,t=4,p=1"), false],
    ["less memory", argon("m=65535,t=3,p=1"), true],
    ["less time", argon("m=65536,t=2,p=1"), true],
    ["bcrypt", bcrypt, true],
    ["anything else", "plain", true]
  ])("%s", (_, hash, expected) => {
    expect(PasswordHash.isStale(hash, PasswordHash.defaultPolicy)).toBe(expected)
  })
})

describe("PasswordHash.parseHash", () => {
  it.each([
    [argon("m=65536,t=3,p=1"), { _tag: "Argon2id", memory: 65536, time: 3 }],
    [bcrypt, { _tag: "Bcrypt", rounds: 10 }],
    [bcrypt.replace("$2b$", "$2y$"), { _tag: "Bcrypt", rounds: 10 }],
    [bcrypt.replace("$2b$", "$2x$"), undefined],
    [argon("m=65536,t=3,p=1").replace("argon2id", "argon2i"), undefined],
    [`${bcrypt}a`, undefined],
    ["", undefined]
  ])("reads %s", (hash, expected) => {
    expect(PasswordHash.parseHash(hash)).toEqual(expected)
  })
})

describe("PasswordHash.stateOf", () => {
  it.each([
    ["NULL", null, "none"],
    ["an empty column", "", "none"],
    ["the marker", PasswordHash.none, "none"],
    ["Django's marker", "!w4RZ0sTjGQK5gXv8nPpDbZ0TqJzvCkYxZpJm3bXf", "none"],
    ["a locked password", PasswordHash.locked(new Uint8Array(PasswordHash.lockedBytes)), "locked"],
    ["argon2id", argon("m=19456,t=2,p=1"), "set"],
    ["bcrypt", bcrypt, "set"]
  ])("reads %s", (_, stored, expected) => {
    expect(PasswordHash.stateOf(stored)).toBe(expected)
  })

  it("has a marker that is no hash", () => {
    expect(PasswordHash.parseHash(PasswordHash.none)).toBeUndefined()
  })
})
