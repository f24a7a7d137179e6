// A sign-up with a provider in a program with fields of its own: prefilled by what the provider has told, shown before it is stored.
import { HttpApi } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as SqlProfile from "../../../layers/auth/SqlProfile.ts"
import * as AccountsApi from "../../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { Customer, describeProfiles, migrations, routes } from "../../support/ProfileApp.ts"
import { codeIn, listed, returning, secretOf } from "../../support/ProviderClient.ts"

const Api = HttpApi.make("profile-api").add(AccountsApi.groupWith(Customer)).prefix("/api")

const app = Pipeline.app([...Pipeline.pages([...AuthRoutes.routes, ...routes]), ...Pipeline.api(Api)])

const handlers = ApiHandlers.layer(Api).pipe(
  Layer.provide(AccountsApi.layer(Api)),
  Layer.provide(ApiAuthentication.layer)
)

const provider = TestProvider.layer({
  fields: (claims) => ({ display_name: String(claims["nickname"] ?? ""), role: "admin" })
})

const complete = "/login/with/test/complete"

let count = 0
const person = () => {
  const sub = `fields-${count++}`
  return { sub, email: `${sub}@example.com`, nickname: "Ann <Example>" }
}

describeProfiles("A sign-up with a provider", (variant) => {
  const profiles = SqlProfile.layer(Customer, { ...variant.profile, tables: variant.tables })
  const server = TestApp.layerOf(app, {
    database: variant.database.layerEmpty,
    tables: variant.tables,
    migrations: migrations(variant),
    settings: { returnUrls: [listed] },
    services: Layer.mergeAll(Layer.provideMerge(handlers, profiles), provider)
  })

  layer(server)((it) => {
    it.effect("asks on a page for the fields of the program, prefilled, and stores what the person sends", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const ann = yield* TestApp.guest
        const claims = person()
        expect((yield* signIn(ann, claims)).location).toBe(complete)
        const page = yield* ann.get(complete)
        expect(page.body).toContain('value="Ann &lt;Example&gt;"')
        expect(page.body).toContain(`value="${claims.email}"`)
        expect((yield* ann.get("/greeting")).location).toBe("/login")
        const long = yield* ann.submit(complete, { email: claims.email, display_name: "a".repeat(21) })
        expect([long.status, long.text.includes("Use at most 20 characters.")]).toEqual([422, true])
        // Nobody chooses a stored field, neither the provider nor the person.
        const form = { email: claims.email, display_name: "Ann", colour: "blue", role: "admin" }
        expect((yield* ann.submit(complete, form)).location).toBe("/greeting")
        expect((yield* ann.get("/greeting")).body).toBe("Ann, member")
      })
    )

    it.effect("says so where another account has the value, and goes on with another one", () =>
      Effect.gen(function* () {
        const { signIn } = yield* TestProvider.TestProvider
        const [ann, bob] = [yield* TestApp.guest, yield* TestApp.guest]
        const [one, two] = [person(), person()]
        yield* signIn(ann, one)
        yield* ann.submit(complete, { email: one.email, display_name: "Only" })
        yield* signIn(bob, two)
        const taken = yield* bob.submit(complete, { email: two.email, display_name: "Only" })
        expect(taken.status).toBe(422)
        expect((yield* bob.get("/greeting")).location).toBe("/login")
        const other = { email: two.email, display_name: "Another" }
        const copy = yield* TestApp.guest
        for (const [name, value] of bob.jar) copy.jar.set(name, value)
        expect((yield* bob.submit(complete, other)).location).toBe("/greeting")
        expect((yield* bob.get("/greeting")).body).toBe("Another, member")
        // Once: a copy of the cookie makes no second account.
        const again = yield* copy.submit(complete, { email: `other-${two.email}`, display_name: "Again" })
        expect(again.location).toBe("/login")
      })
    )

    it.effect("returns them to a client of the API, and takes them typed", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const { accounts } = yield* TestApp.apiClient(Api, client)
        const { challenge, verifier: text } = secretOf()
        const claims = person()
        const { url } = yield* accounts.beginProviderBearer({
          path: { provider: "test" },
          payload: { challenge, return_to: listed }
        })
        const verifier = Redacted.make(text)
        const code = codeIn(yield* returning(url, claims))
        const next = yield* accounts.signInProviderBearer({ payload: { code, verifier } })
        if (!("next" in next) || next.next !== "sign-up") throw new Error("No sign-up follows")
        expect(next).toMatchObject({ email: claims.email, fields: { display_name: claims.nickname } })
        const form = { code: next.code, verifier, email: next.email ?? "" }
        const wrong = yield* client.json("POST", "/api/bearer/sign-up/provider", {
          code: Redacted.value(next.code),
          verifier: text,
          email: form.email,
          display_name: "a".repeat(21)
        })
        expect(wrong.json).toMatchObject({
          _tag: "InvalidInput",
          fields: { display_name: "Use at most 20 characters." }
        })
        // The code waits while the form is refused.
        const nobody = { ...form, display_name: "Only once" }
        const first = yield* accounts.signUpProviderBearer({ payload: nobody })
        if (!("bearer" in first)) throw new Error("Not signed up")
        const { profile } = first.account
        const role: "member" | "admin" | undefined = profile?.role
        expect([profile?.display_name, role]).toEqual(["Only once", "member"])
        client.headers.set("authorization", `Bearer ${Redacted.value(first.bearer.token)}`)
        expect((yield* accounts.me()).profile).toMatchObject({ display_name: "Only once" })
      })
    )
  })
})
