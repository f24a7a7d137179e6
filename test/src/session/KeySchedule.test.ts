import { describe, expect, it } from "@effect/vitest"
import { Duration } from "effect"
import type { Key } from "../../../src/session/KeyRing.ts"
import { maxCacheAge, fromKeys, activationDelay } from "../../../src/session/internal/KeySchedule.ts"

const key = (id: number, created: number): Key => ({ id, created, secret: new Uint8Array(32) })
const settle = Duration.toSeconds(activationDelay)

describe("fromKeys", () => {
  it("signs with a first key at once", () => {
    expect(fromKeys([key(1, 100)], 100).signing.id).toBe(1)
  })

  it("signs with a new key only when it has settled", () => {
    const keys = [key(2, 1000), key(1, 100)] as const
    expect(fromKeys(keys, 1000 + settle - 1).signing.id).toBe(1)
    expect(fromKeys(keys, 1000 + settle).signing.id).toBe(2)
  })

  it("knows new and old keys alike", () => {
    const { find } = fromKeys([key(2, 1000), key(1, 100)], 1000)
    expect([find(1)?.id, find(2)?.id, find(3)]).toEqual([1, 2, undefined])
  })

  it("is read again before a key that it does not know begins to sign", () => {
    expect(Duration.toSeconds(maxCacheAge)).toBeLessThan(settle)
  })
})
