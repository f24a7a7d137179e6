import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SystemEntropy from "../../../layers/auth/SystemEntropy.ts"
import { Entropy } from "../../../src/auth/Secret.ts"

describe("SystemEntropy", () => {
  it.effect("gives as many bytes as requested, different each time", () =>
    Effect.gen(function* () {
      const { bytes } = yield* Entropy
      expect(bytes(32)).toHaveLength(32)
      expect(bytes(32)).not.toEqual(bytes(32))
    }).pipe(Effect.provide(SystemEntropy.layer))
  )
})
