// Every way to choose a password obeys the same rules: sign-up, change and reset, as pages and as JSON.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import * as German from "../../../src/texts/German.ts"
import { RefusedPasswords, type Refusal } from "../../../src/auth/RefusedPasswords.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeProfiles, layer as profileLayer } from "../../support/ProfileApp.ts"

const known = new Map<string, Refusal>([
  ["leaked but long enough", "Breached"],
  ["very common phrase", "Common"]
])

const refused = Layer.succeed(
  RefusedPasswords,
  RefusedPasswords.of({
    find: (password) => Effect.sync(() => Option.fromNullable(known.get(Redacted.value(password))))
  })
)

const app = Pipeline.app(Pipeline.pages(AuthRoutes.routes))
const settings = { appUrl: "https://teapots.example", passwordMin: 10, passwordMinWithoutFactor: 12 }

const guessable = "Use more than your name, your address or the name of this site."

const rows = [
  ["short text", "Use at least 12 characters."],
  ["leaked but long enough", "This password is in a list of stolen passwords. Choose another."],
  ["very common phrase", "This password is one of the most common. Choose another."],
  ["Person.Anna1990", guessable],
  ["teapots12345", guessable]
] as const

const errorOf = (body: string): unknown => JSON.parse(body).fields?.password

let count = 0

layer(TestApp.layerOf(app, { settings, services: refused }))("A chosen password", (it) => {
  it.effect.each(rows)("is refused with the rule that it breaks: %s", ([password, text]) =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const email = `person.anna@mail${++count}.example`
      const signUp = yield* guest.json("POST", "/register", { email, password })
      expect([signUp.status, errorOf(signUp.body)]).toEqual([422, text])
      const page = yield* guest.submit("/register", { email, password })
      expect([page.status, page.body.includes(text)]).toEqual([422, true])

      const ann = yield* TestApp.signedInUser(yield* TestApp.enrolledUser({ email }))
      const change = yield* ann.json("POST", "/password", { current: ann.user.password, password })
      expect([change.status, errorOf(change.body)]).toEqual([422, text])

      const tokens = yield* Tokens
      const { value } = yield* tokens.mint(ann.user.id, "recovery")
      const path = `/reset/${Redacted.value(value).replace(".", "/")}`
      const reset = yield* guest.json("POST", path, { password })
      expect([reset.status, errorOf(reset.body)]).toEqual([422, text])
      // The link is not spent by a refusal.
      expect((yield* guest.submit(path, { password: "another old harbour" })).location).toBe("/login")
    })
  )

  it.effect("is as long as the page says", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.get("/register")).body).toContain("At least 12 characters.")
      const { status } = yield* guest.json("POST", "/register", {
        email: "long@mail.example",
        password: "twelve chars"
      })
      expect(status).toBe(201)
    })
  )
})

const withFactor = Layer.effect(
  Factors,
  Effect.map(Factors, (factors) =>
    Factors.of({
      ...factors,
      required: () => Effect.succeed({ kinds: ["totp"], onEveryDevice: false, isLocked: false })
    })
  )
)

layer(TestApp.layerOf(app, { settings, services: withFactor }))(
  "A chosen password of an account with a factor",
  (it) => {
    it.effect("may be shorter", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        const guest = yield* TestApp.guest
        const user = yield* TestApp.enrolledUser()
        const { value } = yield* tokens.mint(user.id, "recovery")
        const path = `/reset/${Redacted.value(value).replace(".", "/")}`
        expect((yield* guest.submit(path, { password: "9 letters" })).status).toBe(422)
        expect((yield* guest.submit(path, { password: "10 letters" })).status).toBe(303)
      })
    )
  }
)

describeProfiles("A chosen password of a person with a name", (variant) => {
  layer(profileLayer(variant))((it) => {
    it.effect("is not made of the name, at sign-up, change and reset", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const email = "someone@mail.example"
        const names = { display_name: "Hortensia", colour: "blue" }
        const profile = { ...names, role: "member", is_vip: false, points: 0 }
        const password = "Hortensia1990"
        const signUp = yield* guest.json("POST", "/register", { email, password, ...names })
        expect([signUp.status, errorOf(signUp.body)]).toEqual([422, guessable])
        const ann = yield* TestApp.signedInUser(yield* TestApp.enrolledUser({ email, profile }))
        const { id, password: current } = ann.user
        const change = yield* ann.json("POST", "/password", { current, password })
        expect([change.status, errorOf(change.body)]).toEqual([422, guessable])
        expect((yield* ann.get("/password")).body).toContain("hortensia")
        const { value } = yield* Effect.flatMap(Tokens, (tokens) => tokens.mint(id, "recovery"))
        const path = `/reset/${Redacted.value(value).replace(".", "/")}`
        // Whoever holds the link learns no name: it is checked, not told.
        expect((yield* guest.get(path)).body.toLowerCase()).not.toContain("hortensia")
        const reset = yield* guest.json("POST", path, { password })
        expect([reset.status, errorOf(reset.body)]).toEqual([422, guessable])
        expect((yield* guest.submit(path, { password: "another old harbour" })).location).toBe("/login")
      })
    )
  })
})

layer(TestApp.layerOf(app, { services: German.layer }))("A chosen password in German", (it) => {
  it.effect("is refused in German, by the real list", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      guest.headers.set("accept-language", "de")
      const { body } = yield* guest.json("POST", "/register", { email: "a@mail.example", password: "whiteboy" })
      expect(errorOf(body)).toBe("Dieses Passwort gehört zu den häufigsten. Wählen Sie ein anderes.")
    })
  )
})
