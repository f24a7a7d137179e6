import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import * as ApiScopes from "../../../src/auth/ApiScopes.ts"
import * as OfferedScopes from "../../../src/auth/internal/OfferedScopes.ts"
import * as GrantedScopes from "../../../src/session/internal/GrantedScopes.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { requestStateOf } from "../../support/RequestStates.ts"

const scopes = ApiScopes.make({ "notes:read": "Read your notes", "notes:write": (locale) => `Write (${locale})` })

describe("ApiScopes", () => {
  it.effect("allows a session everything, and a token what it was granted", () =>
    Effect.gen(function* () {
      const allowed = Effect.forEach(scopes.names, scopes.allows)
      const granted = (...names: ReadonlyArray<string>) => {
        const state = requestStateOf()
        GrantedScopes.grant(state, { scopes: new Set(names), isValid: Effect.succeed(true) })
        return Effect.provideService(allowed, RequestState, state)
      }
      expect(yield* allowed).toEqual([true, true])
      expect(yield* Effect.provideService(allowed, RequestState, requestStateOf())).toEqual([true, true])
      expect(yield* granted("notes:read", "admin")).toEqual([true, false])
      expect(yield* granted()).toEqual([false, false])
    })
  )

  it.effect("are offered by their layer alone", () =>
    Effect.gen(function* () {
      expect(yield* OfferedScopes.OfferedScopes).toEqual({})
      expect(Object.keys(yield* Effect.provide(OfferedScopes.OfferedScopes, scopes.layer))).toEqual(scopes.names)
    })
  )

  it("have names that a header can hold between quotes, and a list between blanks", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 70 }), (name) => {
        const isPossible = /^[!#-[\]-~]{1,64}$/.test(name)
        const made = () => ApiScopes.make({ [name]: "Anything" })
        if (isPossible) expect(made().names).toEqual([name])
        else expect(made).toThrow(RangeError)
      })
    )
    for (const name of ["", "a b", 'a"', "a\\", "é", "a\n", "a".repeat(65)]) {
      expect(() => ApiScopes.make({ [name]: "Anything" })).toThrow(/A scope is printable ASCII/)
    }
  })
})
