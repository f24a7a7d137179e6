// Several providers at once, over real sockets: who is who, and what a sign-in with one of them is worth.
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Metric, Redacted, TestClock } from "effect"
import * as GitHub from "../../../layers/auth/GitHub.ts"
import * as Claims from "../../../src/auth/internal/providers/Claims.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as GitHubServer from "../../support/GitHubServer.ts"
import * as PasswordlessUser from "../../support/PasswordlessUser.ts"

let count = 0
const fresh = () => `several-${count++}`

const company = "company.example"

/** As Google: it asks nobody again, and has mailboxes of a company. */
class Google extends Context.Tag("test/Google")<Google, Context.Tag.Service<typeof TestProvider.TestProvider>>() {}

const google = Layer.map(
  TestProvider.layer({
    id: "google",
    name: "Google",
    asksAgain: false,
    authoritativeFor: [company],
    provesAddress: Claims.google.provesAddress
  }),
  (context) => Context.make(Google, Context.get(context, TestProvider.TestProvider))
)

const number = 4_711

const github = Layer.unwrapScoped(
  Effect.map(
    GitHubServer.start({
      user: { id: number, login: "octocat" },
      emails: [{ email: `octocat@${company}`, primary: true, verified: true }]
    }),
    (url) =>
      Layer.orDie(
        GitHub.layer({ clientId: "id", clientSecret: Redacted.make("secret"), url, apiUrl: url, network: "loopback" })
      )
  )
)

const services = Layer.mergeAll(TestProvider.layer(), google, github)

const linksOf = (user: Pick<TestApp.TestUser, "id">) =>
  Effect.map(
    Effect.flatMap(LinkedIdentities, ({ list }) => list(user.id)),
    ({ length }) => length
  )

const linkGoogle = Effect.fnUntraced(function* (user: Pick<TestApp.TestUser, "id">) {
  const { issuer } = yield* Google
  const subject = fresh()
  yield* Effect.flatMap(LinkedIdentities, ({ link }) =>
    link(user.id, { issuer, subject, provider: "google", label: subject })
  )
  return subject
})

const who = (client: TestClient) =>
  Effect.map(client.json("GET", "/account"), ({ json, status }) =>
    status === 200 && typeof json === "object" && json !== null && "email" in json ? String(json.email) : "nobody"
  )

/** How many returns of the provider had each outcome. */
const outcomes = Effect.map(Metric.snapshot, (all) => {
  const found = new Map<string, number>()
  for (const { metricKey, metricState } of all) {
    const of = (name: string) => metricKey.tags.find(({ key }) => key === name)?.value
    const outcome = of("outcome")
    if (metricKey.name !== "auth_provider_returns_total" || of("provider") !== "test" || outcome === undefined) continue
    if ("count" in metricState) found.set(outcome, Number(metricState.count))
  }
  return found
})

/** The outcomes that were counted meanwhile. */
const counting = Effect.fnUntraced(function* <A, E, R>(run: Effect.Effect<A, E, R>) {
  const before = yield* outcomes
  yield* run
  const after = [...(yield* outcomes)].map(([name, now]) => [name, now - (before.get(name) ?? 0)] as const)
  return Object.fromEntries(after.filter(([, more]) => more > 0))
})

describeDatabases("Several providers", (database) => {
  layer(TestApp.layer([PasswordlessUser.route], { database: database.layer, services }))((it) => {
    it.effect("know different people by the same subject", () =>
      Effect.gen(function* () {
        const [test, other] = [yield* TestProvider.TestProvider, yield* Google]
        const sub = fresh()
        const [first, second] = [`${fresh()}@example.com`, `${fresh()}@example.com`]
        const [ann, bob] = [yield* TestApp.guest, yield* TestApp.guest]
        yield* test.signIn(ann, { sub, email: first })
        yield* other.signIn(bob, { sub, email: second })
        expect([yield* who(ann), yield* who(bob)]).toEqual([first, second])
        // Also where the second one says the address of the first.
        const thief = yield* TestApp.guest
        yield* other.signIn(thief, { sub, email: first, email_verified: true })
        expect(yield* who(thief)).toBe(second)
      })
    )

    it.effect("include GitHub, whose word for an address is a suggestion", () =>
      Effect.gen(function* () {
        const enter = Effect.fnUntraced(function* (client: TestClient) {
          const { location = "" } = yield* client.submit("/login/with/github", {})
          const { origin, pathname, searchParams } = new URL(location)
          expect(pathname).toBe("/login/oauth/authorize")
          const policy = (yield* client.get("/login")).headers.get("content-security-policy")
          expect(policy).toContain(origin)
          return yield* client.get(`/login/with/github/callback?code=c&state=${searchParams.get("state")}`)
        })
        const email = `octocat@${company}`
        const holder = yield* TestApp.enrolledUser({ email })
        const client = yield* TestApp.guest
        expect((yield* enter(client)).location).toBe("/login")
        expect((yield* client.get("/login")).text).toContain(`GitHub (${email}) will be connected`)
        expect(yield* linksOf(holder)).toBe(0)
        yield* client.submit("/login", { email, password: holder.password })
        const [linked] = yield* Effect.flatMap(LinkedIdentities, ({ list }) => list(holder.id))
        expect(linked).toMatchObject({ provider: "github", label: email })
        const again = yield* TestApp.guest
        expect((yield* enter(again)).location).toBe("/account")
        expect(yield* who(again)).toBe(email)
      })
    )

    it.effect("link no consumer account that has registered the address of a company", () =>
      Effect.gen(function* () {
        const { signIn } = yield* Google
        const user = yield* TestApp.enrolledUser({ email: `${fresh()}@${company}` })
        const claims = { sub: fresh(), email: user.email, email_verified: true }
        const client = yield* TestApp.guest
        expect((yield* signIn(client, claims)).location).toBe("/login")
        expect([yield* who(client), yield* linksOf(user)]).toEqual(["nobody", 0])
        yield* signIn(client, { ...claims, hd: company })
        expect([yield* who(client), yield* linksOf(user)]).toEqual([user.email, 1])
      })
    )

    it.effect("link nobody to whom the company has given the mailbox of somebody else", () =>
      Effect.gen(function* () {
        const { signIn } = yield* Google
        const user = yield* TestApp.enrolledUser({ email: `${fresh()}@${company}` })
        const sub = yield* linkGoogle(user)
        const claims = { email: user.email, email_verified: true, hd: company }
        const next = yield* TestApp.guest
        expect((yield* signIn(next, { ...claims, sub: fresh() })).location).toBe("/login")
        expect((yield* next.get("/login")).text).toContain("will be connected")
        expect([yield* who(next), yield* linksOf(user)]).toEqual(["nobody", 1])
        const owner = yield* TestApp.guest
        yield* signIn(owner, { ...claims, sub })
        expect(yield* who(owner)).toBe(user.email)
      })
    )

    it.effect("confirm by a sign-in only where they have just asked, or where nothing else confirms", () =>
      Effect.gen(function* () {
        const { signIn } = yield* Google
        const user = yield* TestApp.enrolledUser()
        const sub = yield* linkGoogle(user)
        const client = yield* TestApp.guest
        yield* TestClock.adjust("1 hour")
        // As at a browser that somebody finds open: nobody is asked at Google.
        for (const auth_time of [undefined, 1]) {
          yield* signIn(client, { sub, auth_time })
          expect(yield* who(client)).toBe(user.email)
          for (const path of ["/account/passkeys", "/account/identities"]) {
            expect((yield* client.get(path)).location).toBe("/confirm")
          }
        }
        yield* signIn(client, { sub, auth_time: 1e12 })
        expect((yield* client.get("/account/identities")).status).toBe(200)
        // Without a password there is nothing else.
        const alone = yield* PasswordlessUser.enroll()
        const subject = yield* linkGoogle(alone)
        const other = yield* TestApp.guest
        yield* signIn(other, { sub: subject })
        expect((yield* other.get("/account/identities")).status).toBe(200)
      })
    )

    it.effect("add no identity that waits by a sign-in that confirms nothing, until its owner confirms", () =>
      Effect.gen(function* () {
        const [test, { signIn }] = [yield* TestProvider.TestProvider, yield* Google]
        const user = yield* TestApp.enrolledUser()
        const sub = yield* linkGoogle(user)
        const client = yield* TestApp.guest
        yield* test.signIn(client, { sub: fresh(), email: user.email })
        yield* signIn(client, { sub })
        expect([yield* who(client), yield* linksOf(user)]).toEqual([user.email, 1])
        yield* client.submit("/confirm", { current: user.password })
        expect(yield* linksOf(user)).toBe(2)
      })
    )

    it.effect("count what has become of a return when it has", () =>
      Effect.gen(function* () {
        const { lie, signIn } = yield* TestProvider.TestProvider
        const { link } = yield* LinkedIdentities
        const { issuer } = yield* TestProvider.TestProvider
        const user = yield* TestApp.enrolledUser()
        const app = yield* TestApp.authenticatorApp(user)
        yield* TestClock.adjust("1 minute")
        const sub = fresh()
        yield* link(user.id, { issuer, subject: sub, provider: "test", label: sub })
        const client = yield* TestApp.guest
        expect(yield* counting(signIn(client, { sub }))).toEqual({ second_factor: 1 })
        const code = yield* app.code
        expect(yield* counting(client.submit("/login/factor", { code }))).toEqual({ signed_in: 1 })

        const nameless = yield* TestApp.guest
        expect(yield* counting(signIn(nameless, { sub: fresh() }))).toEqual({ ask_address: 1 })
        const email = `${fresh()}@example.com`
        expect(yield* counting(nameless.submit("/login/with/test/complete", { email }))).toEqual({ signed_up: 1 })
        const at = { sub: fresh(), email }
        expect(yield* counting(Effect.flatMap(TestApp.guest, (guest) => signIn(guest, at)))).toEqual({ connect: 1 })

        const lied = (lies: TestProvider.Lies, claims: Readonly<Record<string, unknown>> = { sub }) =>
          counting(
            Effect.gen(function* () {
              const guest = yield* TestApp.guest
              yield* lie(lies)
              yield* signIn(guest, claims)
              yield* lie({})
            })
          )
        const failing = (error: string) =>
          lied({
            callback: (parameters) => {
              parameters.delete("code")
              parameters.set("error", error)
            }
          })
        expect(yield* failing("access_denied")).toEqual({ declined: 1 })
        expect(yield* failing("unauthorized_client")).toEqual({ configuration: 1 })
        expect(yield* failing("server_error")).toEqual({ unavailable: 1 })
        expect(yield* failing("temporarily_unavailable")).toEqual({ unavailable: 1 })
        expect(yield* lied({ signature: "broken" })).toEqual({ invalid: 1 })
        expect(yield* lied({}, { sub: "" })).toEqual({ claims: 1 })
        const refusal = { status: 401, body: JSON.stringify({ error: "invalid_client" }) }
        expect(yield* lied({ answer: (path) => (path === "/token" ? refusal : undefined) })).toEqual({
          configuration: 1
        })
        expect(
          yield* counting(Effect.flatMap(TestApp.guest, (guest) => guest.get("/login/with/test/callback")))
        ).toEqual({ expired: 1 })
      })
    )

    it.effect("say that one is not available which says so itself", () =>
      Effect.gen(function* () {
        const { lie, signIn } = yield* TestProvider.TestProvider
        const client = yield* TestApp.guest
        yield* lie({
          callback: (parameters) => {
            parameters.delete("code")
            parameters.set("error", "temporarily_unavailable")
            parameters.set("error_description", "words of the provider")
          }
        })
        yield* signIn(client, { sub: fresh() })
        yield* lie({})
        const { text } = yield* client.get("/login")
        expect(text).toContain("Test does not respond")
        expect(text).not.toContain("words of the provider")
      })
    )
  })
})
