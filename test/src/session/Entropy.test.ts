import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Entropy } from "../../../src/session/internal/Entropy.ts"

describe("Entropy", () => {
  it.effect("gives as many bytes as requested, different each time", () =>
    Effect.gen(function* () {
      const { bytes } = yield* Entropy
      expect(bytes(32)).toHaveLength(32)
      expect(bytes(32)).not.toEqual(bytes(32))
    })
  )

  it.effect("repeats nothing, whatever the sizes that are asked for", () =>
    Effect.gen(function* () {
      const { bytes } = yield* Entropy
      const sizes = [16, 32, 7, 255, 256, 257, 4096, 5000, 9, 31]
      const given = Array.from({ length: 2000 }, (_, index) => bytes(sizes[index % sizes.length] ?? 16))
      expect(given.map(({ length }) => length)).toEqual(given.map((_, index) => sizes[index % sizes.length]))
      const eights = given.flatMap((some) =>
        Array.from({ length: Math.floor(some.length / 8) }, (_, index) =>
          Buffer.from(some.subarray(index * 8, index * 8 + 8)).toString("hex")
        )
      )
      expect(new Set(eights).size).toBe(eights.length)
    })
  )

  it.effect("gives bytes that a caller may change", () =>
    Effect.gen(function* () {
      const { bytes } = yield* Entropy
      const first = bytes(32).fill(7)
      expect(bytes(32)).not.toEqual(first)
      expect(first).toEqual(new Uint8Array(32).fill(7))
    })
  )
})
