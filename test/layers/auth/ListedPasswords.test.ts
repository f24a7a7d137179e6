import { expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import * as ListedPasswords from "../../../layers/auth/internal/ListedPasswords.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import { RefusedPasswords } from "../../../src/auth/RefusedPasswords.ts"

const layer = Layer.provide(ListedPasswords.layer, AuthConfig.layerWith({}))

const find = (password: string) =>
  Effect.flatMap(RefusedPasswords, (refused) => refused.find(Redacted.make(password))).pipe(
    Effect.map(Option.getOrUndefined)
  )

it.effect("refuses the most common passwords in any case, and no others", () =>
  Effect.gen(function* () {
    for (const password of ["12345678", "IloveYou", "hotstuff", "whiteboy", "Skywalker", "Stargate"]) {
      expect([password, yield* find(password)]).toEqual([password, "Common"])
    }
    for (const password of ["quiet harbour", "wet paint on the door", "", "x".repeat(2000), "\u{1f600}".repeat(20)]) {
      expect(yield* find(password)).toBe(undefined)
    }
  }).pipe(Effect.provide(layer))
)

it.effect("has 49,000 of them", () =>
  Effect.gen(function* () {
    const { dictionary } = yield* Effect.promise(() => import("@zxcvbn-ts/language-common"))
    const list = dictionary["passwords-common"]
    expect(list.length).toBeGreaterThan(49_000)
    expect(list.filter((one) => one !== one.toLowerCase())).toEqual([])
    expect(Math.max(...list.map(({ length }) => length))).toBeLessThanOrEqual(64)
  })
)
