import { describe, expect, it } from "@effect/vitest"
import * as Password from "../../../src/auth/Password.ts"

const argon = (parameters: string) => `$argon2id$v=19$${parameters}$c29tZXNhbHRzb21lc2FsdA$${"A".repeat(43)}`
const bcrypt = `$2b$10$${"a".repeat(53)}`

describe("Password.fault", () => {
  it.each([
    ["at least 8 characters", "1234567", "Use at least 8 characters."],
    ["counts code points, not bytes or halves", "🦊🦊🦊🦊", "Use at least 8 characters."],
    ["takes any character", "🦊🐻🐼🐨🐯🦁🐮🐷", undefined],
    ["takes spaces and controls", " \t\n \0 \u2028 x", undefined],
    ["at most 1,024 bytes", "é".repeat(513), "Use at most 1024 bytes."],
    ["takes 1,024 bytes", "é".repeat(512), undefined],
    ["takes no half of a character", "quiet harbour \ud83e", "Use whole characters."],
    ["takes the character that stands for a lost one", "quiet harbour \ufffd", undefined],
    ["not the e-mail, however it is spelled", " Someone@Example.com", "Use something else than your e-mail."],
    ["not a common one", "password", "This password is one of the most common. Choose another."],
    ["not a common one in another case", "PassWord", "This password is one of the most common. Choose another."],
    ["takes the demo's", "correct-horse-battery", undefined]
  ])("%s", (_, password, expected) => {
    expect(Password.problem(password, "someone@example.com")).toBe(expected)
  })
})

describe("Password.isStale", () => {
  it.each([
    ["today's parameters", argon("m=65536,t=3,p=1"), false],
    ["stronger ones", argon("m=131072,t=4,p=1"), false],
    ["less memory", argon("m=65535,t=3,p=1"), true],
    ["less time", argon("m=65536,t=2,p=1"), true],
    ["bcrypt", bcrypt, true],
    ["anything else", "plain", true]
  ])("%s", (_, hash, expected) => {
    expect(Password.isStale(hash, Password.policy)).toBe(expected)
  })
})

describe("Password.parse", () => {
  it.each([
    [argon("m=65536,t=3,p=1"), { _tag: "Argon2id", memory: 65536, time: 3 }],
    [bcrypt, { _tag: "Bcrypt", rounds: 10 }],
    [bcrypt.replace("$2b$", "$2y$"), { _tag: "Bcrypt", rounds: 10 }],
    [bcrypt.replace("$2b$", "$2x$"), undefined],
    [argon("m=65536,t=3,p=1").replace("argon2id", "argon2i"), undefined],
    [`${bcrypt}a`, undefined],
    ["", undefined]
  ])("reads %s", (hash, expected) => {
    expect(Password.parseHash(hash)).toEqual(expected)
  })
})
