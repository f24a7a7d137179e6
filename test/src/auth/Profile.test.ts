import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import * as Profile from "../../../src/auth/Profile.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import { english } from "../../../src/http/Languages.ts"

const Member = Profile.make({
  signUp: Schema.Struct({ nickname: Schema.Trim }),
  stored: Schema.Struct({ role: Schema.optionalWith(Schema.Literal("reader", "editor"), { default: () => "reader" }) }),
  fields: ({ tag }) => ({ nickname: { label: `Nickname (${tag})` } }),
  name: ({ nickname }) => nickname
})

const make = (name: string) => () =>
  Profile.make({ signUp: Schema.Struct({ [name]: Schema.String }), fields: { [name]: { label: name } } })

describe("a profile", () => {
  it.effect("begins with what was chosen and the defaults of the rest, whatever else was sent", () =>
    Effect.gen(function* () {
      const row = yield* Member.definition.initial({ nickname: "ann", role: "editor" })
      expect(row).toEqual({ nickname: "ann", role: "reader" })
    })
  )

  it("has labels in the language of the reader", () => {
    expect(Member.definition.fields(english)).toEqual({ nickname: { label: "Nickname (en)" } })
  })

  it.each(["email", "password", "password_confirmation", "_token", "remember", "id", "verified"])(
    "cannot have a field named %s",
    (name) => expect(make(name)).toThrow(`A profile cannot have a field named ${name}`)
  )

  it.each(["first name", "a-b", "", "1st", "a.b", 'a"'])("has names of columns only, not %j", (name) =>
    expect(make(name)).toThrow("letters, digits and underscores only")
  )

  it("needs a default for every stored field", () => {
    const stored = Schema.Struct({ role: Schema.String })
    expect(() => Profile.make({ signUp: Schema.Struct({}), stored, fields: {} })).toThrow("needs a default")
  })

  it.effect("gives a layout its type, and nothing for a guest or another profile", () =>
    Effect.gen(function* () {
      const { name, profile } = yield* Member.definition.shown?.({ nickname: "ann", role: "editor" }) ?? Effect.die("")
      const user = { email: "ann@example.com", token: "", name, profile }
      expect(name).toBe("ann")
      expect(Member.of(user)).toEqual(Option.some({ nickname: "ann", role: "editor" }))
      expect(Member.of(undefined)).toEqual(Option.none())
      expect(Member.of({ ...user, profile: { nickname: 1 } })).toEqual(Option.none())
    })
  )

  it.effect("is a mistake of the program where the layer has another one", () =>
    Effect.gen(function* () {
      const other = { ...Member.definition }
      const exit = yield* Effect.exit(
        Effect.provideService(Member.find(AccountId.make("1")), Profile.Profiles, {
          definition: other,
          enrollment: () => ({}),
          read: () => Effect.succeedNone,
          write: () => Effect.succeed(false),
          remove: () => Effect.void
        })
      )
      expect(String(exit)).toContain("another profile")
    })
  )
})
