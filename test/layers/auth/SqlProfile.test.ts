// What sign-up does not show: accounts without a profile, ids that are none, and how often a profile is read.
import { expect, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { AccountId } from "../../../src/auth/Identity.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Customer, describeProfiles, layer as profileApp } from "../../support/ProfileApp.ts"

const profile = { display_name: "Ann", role: "member", is_vip: true, points: 7 } as const

describeProfiles("SqlProfile", (variant) => {
  layer(profileApp(variant))((it) => {
    it.effect("creates an account with its profile, or neither", () =>
      Effect.gen(function* () {
        const password = Redacted.make("quiet harbour")
        const id = yield* Customer.enroll("seed@example.com", password, { ...profile, role: "admin", colour: "blue" })
        expect(yield* Customer.find(id)).toEqual(Option.some({ ...profile, role: "admin", colour: "blue" }))
        const again = yield* Effect.flip(Customer.enroll("seed@example.com", password, profile))
        expect(again._tag).toBe("Duplicate")
        expect(Option.map(yield* Customer.find(id), ({ role }) => role)).toEqual(Option.some("admin"))
      })
    )

    it.effect("finds nothing and changes nothing for an id that is none", () =>
      Effect.gen(function* () {
        for (const id of ["", "abc", "99999999", "\0", "' OR 1 = 1 --", "5f0c4f0e-0000-4000-8000-000000000000"]) {
          expect(yield* Customer.find(AccountId.make(id))).toEqual(Option.none())
          expect(yield* Customer.set(AccountId.make(id), profile)).toBe(false)
        }
      })
    )

    it.effect("replaces the whole profile, and removes what is absent", () =>
      Effect.gen(function* () {
        const { id } = yield* TestApp.enrolledUser({ profile: { ...profile, colour: "red" } })
        expect(yield* Customer.set(id, { ...profile, display_name: "Bea" })).toBe(true)
        expect(yield* Customer.find(id)).toEqual(Option.some({ ...profile, display_name: "Bea" }))
      })
    )
  })
})
