import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck, Option, TestClock } from "effect"
import { AccountId } from "../../../src/session/Identity.ts"
import { KeyRing } from "../../../src/session/internal/KeyRing.ts"
import { KnownDevices } from "../../../src/auth/internal/KnownDevices.ts"
import { sqlite } from "../../support/Databases.ts"
import { stores } from "./Stores.ts"

const account = (name: string) => AccountId.make(name)

layer(stores(sqlite))("known devices", (it) => {
  it.effect("are known to the accounts that signed in on them, and to no other", () =>
    Effect.gen(function* () {
      const devices = yield* KnownDevices
      const cookie = yield* devices.remember(undefined, account("ann"))
      const found = Option.getOrThrow(yield* devices.find(cookie, account("ann")))
      expect(found).toEqual({ device: expect.stringMatching(/^[0-9a-f]{32}$/), since: expect.any(Number) })
      expect(yield* devices.find(cookie, account("bob"))).toEqual(Option.none())
      expect(yield* devices.find(undefined, account("ann"))).toEqual(Option.none())
      expect(cookie).not.toContain("ann")
    })
  )

  it.effect("keep up to five accounts of one browser, and their name", () =>
    Effect.gen(function* () {
      const devices = yield* KnownDevices
      const names = ["a", "b", "c", "d", "e", "f"]
      let cookie: string | undefined
      for (const name of names) cookie = yield* devices.remember(cookie, account(name))
      const known = yield* Effect.forEach(names, (name) => devices.find(cookie, account(name)))
      expect(known.map(Option.isSome)).toEqual([false, true, true, true, true, true])
      expect(new Set(known.flatMap((one) => Option.toArray(one).map(({ device }) => device))).size).toBe(1)
      yield* TestClock.adjust("1 hour")
      const again = yield* devices.remember(cookie, account("f"))
      expect(again.split(".").length).toBe(cookie?.split(".").length)
      const [before, after] = [known[5], yield* devices.find(again, account("f"))]
      expect(Option.getOrThrow(after).since - Option.getOrThrow(before ?? Option.none()).since).toBe(3600)
      expect(again.length).toBeLessThan(500)
    })
  )

  it.effect.prop(
    "are unknown when their cookie is changed in any place",
    [FastCheck.nat(), FastCheck.string({ minLength: 1, maxLength: 1 })],
    ([at, other]) =>
      Effect.gen(function* () {
        const devices = yield* KnownDevices
        const cookie = yield* devices.remember(undefined, account("ann"))
        const index = at % cookie.length
        const forged = `${cookie.slice(0, index)}${other}${cookie.slice(index + 1)}`
        expect(Option.isSome(yield* devices.find(forged, account("ann")))).toBe(forged === cookie)
      })
  )

  it.effect.prop("are never found by other text, which is no failure", [FastCheck.string()], ([text]) =>
    Effect.gen(function* () {
      const devices = yield* KnownDevices
      expect(yield* devices.find(text, account("ann"))).toEqual(Option.none())
      const fresh = yield* devices.remember(text, account("ann"))
      expect(Option.isSome(yield* devices.find(fresh, account("ann")))).toBe(true)
    })
  )

  it.effect("stay known while the key that signed them is accepted", () =>
    Effect.gen(function* () {
      const devices = yield* KnownDevices
      const keys = yield* KeyRing
      const cookie = yield* devices.remember(undefined, account("ann"))
      yield* keys.rotate
      expect(Option.isSome(yield* devices.find(cookie, account("ann")))).toBe(true)
    })
  )
})
