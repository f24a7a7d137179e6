// Password managers fill a field in by what it says about itself.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as AuthApp from "../../support/AuthApp.ts"
import { sqlite } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]

/** The hint of each field that a person fills in or a password manager reads, in the order of the page. */
const hints = (page: string) =>
  [...page.matchAll(/<input\b[^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => !["hidden", "checkbox"].includes(attribute(tag, "type") ?? ""))
    .map((tag) => [attribute(tag, "name"), attribute(tag, "type"), attribute(tag, "autocomplete")])

const email = ["email", "email", "username"]
const chosen = [
  ["password", "password", "new-password"],
  ["password_confirmation", "password", "new-password"]
]

layer(AuthApp.layer(sqlite))("A form", (it) => {
  it.effect("says what each of its fields is for, also when it is shown again", () =>
    Effect.gen(function* () {
      const app = yield* AuthApp.AuthApp
      const guest = Visitor.make(app.url)
      const known = ["password", "password", "current-password"]
      expect(hints((yield* guest.get("/login")).body)).toEqual([email, known])
      expect(hints((yield* guest.submit("/login", { email: "", password: "" })).body)).toEqual([email, known])
      expect(hints((yield* guest.submit("/login", { email: "a@example.com", password: "x" })).body)).toEqual([
        email,
        known
      ])
      expect(hints((yield* guest.get("/register")).body)).toEqual([email, ...chosen])
      expect(hints((yield* guest.submit("/register", {})).body)).toEqual([email, ...chosen])
      expect(hints((yield* guest.get("/forgot")).body)).toEqual([email])
      expect(hints((yield* guest.submit("/forgot", {})).body)).toEqual([email])
    })
  )

  it.effect("says whose password is changed, for those who keep several", () =>
    Effect.gen(function* () {
      const { person, visitor } = yield* AuthApp.register()
      const owner = [undefined, "text", "username"]
      const change = [owner, ["current", "password", "current-password"], ...chosen]
      expect(hints((yield* visitor.get("/password")).body)).toEqual(change)
      expect(hints((yield* visitor.submit("/password", {})).body)).toEqual(change)
      const link = yield* AuthApp.recoveryLink(person.email)
      expect(hints((yield* visitor.get(link)).body)).toEqual(chosen)
      expect(hints((yield* visitor.submit(link, {})).body)).toEqual(chosen)
    })
  )
})
