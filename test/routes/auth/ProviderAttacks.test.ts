// What somebody can try at a sign-in with a provider, each with its outcome, over real sockets: the table of docs/providers.md.
import { SqlClient } from "@effect/sql"
import { expect, layer, vi } from "@effect/vitest"
import { Duration, Effect, Layer, Option, Redacted, TestClock } from "effect"
import * as OidcProvider from "../../../layers/auth/OidcProvider.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient, TestResponse } from "../../../testing/TestClient.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { describeDatabases } from "../../support/Databases.ts"

type Json = Readonly<Record<string, unknown>>

let count = 0
const fresh = () => `someone-${count++}`
const known = () => `${fresh()}@known.example`

/** The address of the provider that the button leads to. */
const begin = Effect.fnUntraced(function* (client: TestClient, path = "/login/with/test") {
  const { location = "" } = yield* client.submit(path, {})
  return location
})

const approve = (address: string, claims: Json = { sub: fresh(), email: `${fresh()}@example.com` }) =>
  Effect.flatMap(TestProvider.TestProvider, (provider) => provider.approve(address, claims))

/** Who the client is signed in as. */
const who = (client: TestClient) =>
  Effect.map(client.json("GET", "/account"), ({ json, status }) =>
    status === 200 && typeof json === "object" && json !== null && "email" in json ? String(json.email) : "nobody"
  )

/** What the next page of the client says. */
const said = (client: TestClient) =>
  Effect.map(client.follow("/login"), ({ text }) => {
    if (text.includes("took too long")) return "expired"
    if (text.includes("does not respond")) return "unavailable"
    if (text.includes("did not sign you in")) return "refused"
    if (text.includes("will be connected")) return "connect"
    return text.includes("connected to another account") ? "taken" : "nothing"
  })

const outcome = (client: TestClient) => Effect.all([who(client), said(client)])

/** Signs in while the provider lies. */
const lied = Effect.fnUntraced(function* (lies: TestProvider.Lies, claims?: Json) {
  const provider = yield* TestProvider.TestProvider
  const client = yield* TestApp.guest
  const address = yield* begin(client)
  yield* provider.lie(lies)
  const response = yield* Effect.flatMap(approve(address, claims), client.get)
  yield* provider.lie({})
  expect(response.status).toBe(303)
  return yield* outcome(client)
})

const claiming = (change: Json) => lied({ claims: (claims) => ({ ...claims, ...change }) })

const without = (name: string) =>
  lied({ claims: (claims) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name)) })

const answering = (answer: TestProvider.Answer, path = "/token") =>
  lied({ answer: (asked) => (asked === path ? answer : undefined) })

/** The return of the browser with other parameters. */
const returning = (change: (parameters: URLSearchParams) => void) => lied({ callback: change })

const linkedTo = Effect.fnUntraced(function* (user: TestApp.TestUser, subject = fresh()) {
  const { issuer } = yield* TestProvider.TestProvider
  const identities = yield* LinkedIdentities
  yield* identities.link(user.id, { issuer, subject, provider: "test", label: subject })
  return subject
})

const linksOf = (user: { readonly id: TestApp.TestUser["id"] }) =>
  Effect.map(
    Effect.flatMap(LinkedIdentities, ({ list }) => list(user.id)),
    ({ length }) => length
  )

const soon = () => Math.floor(Date.now() / 1000)

const flowIntegrity = {
  "a state that nobody began": Effect.gen(function* () {
    const client = yield* TestApp.guest
    yield* client.get("/login/with/test/callback?code=a&state=b")
    return yield* outcome(client)
  }),
  "no state at all": Effect.gen(function* () {
    const client = yield* TestApp.guest
    yield* begin(client)
    yield* client.get("/login/with/test/callback?code=a")
    return yield* outcome(client)
  }),
  "a return that another browser began (login CSRF)": Effect.gen(function* () {
    const [attacker, victim] = [yield* TestApp.guest, yield* TestApp.guest]
    const path = yield* Effect.flatMap(begin(attacker), approve)
    yield* begin(victim)
    yield* victim.get(path)
    return yield* outcome(victim)
  }),
  "two states in one return": Effect.gen(function* () {
    const client = yield* TestApp.guest
    const path = yield* Effect.flatMap(begin(client), approve)
    yield* client.get(`${path}&state=other`)
    return yield* outcome(client)
  }),
  "the state of another provider": Effect.gen(function* () {
    const client = yield* TestApp.guest
    const path = yield* Effect.flatMap(begin(client), approve)
    yield* client.get(path.replace("/test/", "/other/"))
    return yield* outcome(client)
  }),
  "a return that is used twice, with a copy of the cookie": Effect.gen(function* () {
    const [client, thief] = [yield* TestApp.guest, yield* TestApp.guest]
    const path = yield* Effect.flatMap(begin(client), approve)
    for (const [name, value] of client.jar) thief.jar.set(name, value)
    yield* client.get(path)
    expect(yield* who(client)).not.toBe("nobody")
    yield* thief.get(path)
    return yield* outcome(thief)
  }),
  "a return after ten minutes": Effect.gen(function* () {
    const client = yield* TestApp.guest
    const path = yield* Effect.flatMap(begin(client), approve)
    yield* TestClock.adjust("10 minutes")
    yield* client.get(path)
    return yield* outcome(client)
  }),
  "the oldest of seven tabs": Effect.gen(function* () {
    const client = yield* TestApp.guest
    const first = yield* begin(client)
    yield* Effect.repeatN(begin(client), 5)
    yield* Effect.flatMap(approve(first), client.get)
    return yield* outcome(client)
  })
}

const expired = ["nobody", "expired"]
const refused = ["nobody", "refused"]
const unavailable = ["nobody", "unavailable"]

const protocol = {
  "an error in place of a code": [
    returning((parameters) => {
      parameters.delete("code")
      parameters.set("error", "access_denied")
      parameters.set("error_description", "<b>told by the provider</b>")
    }),
    refused
  ],
  "neither a code nor an error": [returning((parameters) => parameters.delete("code")), refused],
  "a code that was not issued": [returning((parameters) => parameters.set("code", "another")), refused],
  "two codes": [returning((parameters) => parameters.append("code", "another")), refused],
  "the issuer of another server (mix-up)": [
    returning((parameters) => parameters.set("iss", "https://other.example.com")),
    refused
  ],
  "no issuer where the server promises it": [returning((parameters) => parameters.delete("iss")), refused],
  "a token without a signature": [lied({ signature: "none" }), refused],
  "a token signed with the client's secret": [lied({ signature: "symmetric" }), refused],
  "a token signed by a key that is not published": [lied({ signature: "foreign" }), refused],
  "a token with a broken signature": [lied({ signature: "broken" }), refused],
  "a token of another issuer": [claiming({ iss: "https://other.example.com" }), refused],
  "a token for another client": [claiming({ aud: "another" }), refused],
  "a token for two clients without azp": [claiming({ aud: ["test-client", "another"] }), refused],
  "a token that another client asked for": [claiming({ azp: "another" }), refused],
  "another nonce": [claiming({ nonce: "another" }), refused],
  "no nonce": [without("nonce"), refused],
  "a token that has expired": [claiming({ exp: soon() - 3600 }), refused],
  "a token without an end": [without("exp"), refused],
  "a token of the future": [claiming({ nbf: soon() + 3600 }), refused],
  "no subject": [without("sub"), refused],
  "an empty subject": [claiming({ sub: "" }), refused],
  "a subject that is a number": [claiming({ sub: 1 }), refused],
  "a subject of 256 characters": [claiming({ sub: "a".repeat(256) }), refused],
  "a subject with a zero byte": [claiming({ sub: "a\0b" }), refused],
  "a response of 300 KiB": [answering({ status: 200, body: " ".repeat(300 * 1024) }), unavailable],
  "a redirect": [answering({ status: 302, location: "http://127.0.0.1:1/token" }), unavailable],
  "an error of the server": [answering({ status: 500, body: "boom" }), unavailable],
  "a server that never responds": [answering("hang"), unavailable],
  "a response that is not JSON": [answering({ status: 200, body: "<html>" }), refused],
  "a client that the provider does not accept": [
    answering({ status: 401, body: JSON.stringify({ error: "invalid_client" }) }),
    refused
  ],
  "no token where one was promised": [
    answering({ status: 200, body: JSON.stringify({ access_token: "a", token_type: "Bearer" }) }),
    refused
  ]
} as const

/** An account that somebody made with the address of another person, with a way in of every kind. */
const preHijacked = Effect.gen(function* () {
  const provider = yield* TestProvider.TestProvider
  const user = yield* TestApp.enrolledUser({ email: known(), verified: false })
  const attacker = yield* TestApp.signedInUser(user)
  const subject = yield* linkedTo(user)
  yield* TestApp.authenticatorApp(user)
  const device = yield* Effect.orDie(Effect.flatMap(Trust, ({ issue }) => issue(user.id)))
  const { create } = yield* ApiTokens
  const token = yield* Effect.orDie(create(user.id, { name: "left over", scopes: [] }))
  yield* Effect.flatMap(AccountChanges, ({ requestDeletion }) => requestDeletion(user.id, "14 days"))
  const victim = yield* TestApp.guest
  yield* provider.signIn(victim, { sub: fresh(), email: user.email, email_verified: true })
  expect(yield* who(victim)).toBe(user.email)
  return { user, attacker, subject, provider, device, token }
})

const linking = {
  "an address that a text verifies, at a domain that the provider speaks for": [
    Effect.gen(function* () {
      const user = yield* TestApp.enrolledUser({ email: known() })
      const said = yield* lied({}, { sub: fresh(), email: user.email, email_verified: "true" })
      return [...said, yield* linksOf(user)]
    }),
    ["nobody", "connect", 0]
  ],
  "a verified address at a domain that the provider does not speak for (nOAuth)": [
    Effect.gen(function* () {
      const user = yield* TestApp.enrolledUser()
      const said = yield* lied({}, { sub: fresh(), email: user.email, email_verified: true })
      return [...said, yield* linksOf(user)]
    }),
    ["nobody", "connect", 0]
  ],
  "an unverified address of an account that nobody has proved": [
    Effect.gen(function* () {
      const user = yield* TestApp.enrolledUser({ verified: false })
      return yield* lied({}, { sub: fresh(), email: user.email })
    }),
    ["nobody", "connect"]
  ],
  "a domain that only ends like one that the provider speaks for": [
    Effect.gen(function* () {
      const user = yield* TestApp.enrolledUser({ email: `${fresh()}@not-known.example` })
      return yield* lied({}, { sub: fresh(), email: user.email, email_verified: true })
    }),
    ["nobody", "connect"]
  ],
  "two addresses in one": [
    Effect.gen(function* () {
      const user = yield* TestApp.enrolledUser({ email: known() })
      const email = `evil@example.com,${user.email}`
      const [name] = yield* lied({}, { sub: fresh(), email, email_verified: true })
      return [name, yield* linksOf(user)]
    }),
    ["nobody", 0]
  ],
  "an address that another identity has now": [
    Effect.gen(function* () {
      const user = yield* TestApp.enrolledUser()
      yield* linkedTo(user)
      return yield* lied({}, { sub: fresh(), email: user.email, email_verified: true })
    }),
    ["nobody", "connect"]
  ],
  "a sign-in to another account while an identity waits": [
    Effect.gen(function* () {
      const provider = yield* TestProvider.TestProvider
      const [victim, own] = [yield* TestApp.enrolledUser(), yield* TestApp.enrolledUser()]
      const client = yield* TestApp.guest
      yield* provider.signIn(client, { sub: fresh(), email: victim.email })
      yield* client.submit("/login", { email: own.email, password: own.password })
      return [yield* linksOf(victim), yield* linksOf(own)]
    }),
    [0, 0]
  ],
  "an identity that waits, after ten minutes": [
    Effect.gen(function* () {
      const provider = yield* TestProvider.TestProvider
      const user = yield* TestApp.enrolledUser()
      const client = yield* TestApp.guest
      yield* provider.signIn(client, { sub: fresh(), email: user.email })
      yield* TestClock.adjust("10 minutes")
      yield* client.submit("/login", { email: user.email, password: user.password })
      return [yield* linksOf(user)]
    }),
    [0]
  ],
  "the password of somebody who made the account before its owner": [
    Effect.gen(function* () {
      const { user } = yield* preHijacked
      const users = yield* Users
      return [Option.isSome(yield* users.verify(user.email, Redacted.make(user.password)))]
    }),
    [false]
  ],
  "their session, and their second factor": [
    Effect.gen(function* () {
      const { attacker } = yield* preHijacked
      return [yield* who(attacker)]
    }),
    ["nobody"]
  ],
  "their remembered device, their API token, and the deletion that they have asked for": [
    Effect.gen(function* () {
      const { device, token, user } = yield* preHijacked
      const trusted = yield* Effect.orDie(Effect.flatMap(Trust, ({ rotate }) => rotate(device.value)))
      const granted = yield* Effect.flatMap(ApiTokens, ({ verify }) => verify(token.secret))
      const deletion = yield* Effect.flatMap(AccountChanges, (changes) => changes.deletion(user.id))
      return [Option.isSome(trusted), Option.isSome(granted), Option.isSome(deletion)]
    }),
    [false, false, false]
  ],
  "their identity at the same provider": [
    Effect.gen(function* () {
      const { provider, subject, user } = yield* preHijacked
      const client = yield* TestApp.guest
      yield* provider.signIn(client, { sub: subject, email: user.email })
      return [yield* who(client), yield* linksOf(user)]
    }),
    ["nobody", 1]
  ],
  "an identity of another account": [
    Effect.gen(function* () {
      const sub = yield* Effect.flatMap(TestApp.enrolledUser(), (owner) => linkedTo(owner))
      const thief = yield* TestApp.signedInUser()
      const path = yield* Effect.flatMap(begin(thief, "/account/identities/link/test"), (at) => approve(at, { sub }))
      const { location } = yield* thief.get(path)
      return [location, (yield* thief.get("/account")).text.includes("another account"), yield* linksOf(thief.user)]
    }),
    ["/account", true, 0]
  ],
  "a link that another account of this browser began": [
    Effect.gen(function* () {
      const first = yield* TestApp.signedInUser()
      const next = yield* TestApp.enrolledUser()
      const path = yield* Effect.flatMap(begin(first, "/account/identities/link/test"), approve)
      yield* first.submit("/logout", {})
      yield* first.submit("/login", { email: next.email, password: next.password })
      yield* first.get(path)
      return [yield* linksOf(first.user), yield* linksOf(next)]
    }),
    [0, 0]
  ],
  "a link that another browser of the account began": [
    Effect.gen(function* () {
      const first = yield* TestApp.signedInUser()
      const second = yield* TestApp.signedInUser(first.user)
      const path = yield* Effect.flatMap(begin(first, "/account/identities/link/test"), approve)
      yield* second.get(path)
      return [yield* linksOf(first.user)]
    }),
    [0]
  ],
  "a link of somebody who has not confirmed who they are": [
    Effect.gen(function* () {
      const client = yield* TestApp.signedInUser()
      yield* TestClock.adjust("11 minutes")
      const { location } = yield* client.submit("/account/identities/link/test", {})
      return [location]
    }),
    ["/confirm"]
  ],
  "a second factor that is only claimed": [
    Effect.gen(function* () {
      const provider = yield* TestProvider.TestProvider
      const user = yield* TestApp.enrolledUser()
      yield* TestApp.authenticatorApp(user)
      const sub = yield* linkedTo(user)
      const client = yield* TestApp.guest
      const { cookies, location } = yield* provider.signIn(client, { sub, amr: ["pwd", "mfa"] })
      const isGuest = cookies.every((line) => !line.startsWith("session=") || line.startsWith("session=g."))
      return [location, yield* who(client), isGuest]
    }),
    ["/login/factor", "nobody", true]
  ],
  "the last way in, removed": [
    Effect.gen(function* () {
      const provider = yield* TestProvider.TestProvider
      const client = yield* TestApp.guest
      const email = `${fresh()}@example.com`
      yield* provider.signIn(client, { sub: fresh(), email, auth_time: soon() })
      const user = Option.getOrThrow(yield* Effect.flatMap(Users, (users) => users.fetch(email)))
      const [linked] = yield* Effect.flatMap(LinkedIdentities, ({ list }) => list(user.id))
      yield* client.submit("/account/identities/remove", { handle: linked?.handle ?? "" })
      return [yield* linksOf(user), yield* who(client)]
    }),
    [1, undefined]
  ],
  "the last two ways in, removed at once": [
    Effect.gen(function* () {
      const provider = yield* TestProvider.TestProvider
      const client = yield* TestApp.guest
      const email = `${fresh()}@example.com`
      yield* provider.signIn(client, { sub: fresh(), email, auth_time: soon() })
      const user = Option.getOrThrow(yield* Effect.flatMap(Users, (users) => users.fetch(email)))
      yield* linkedTo({ ...user, password: "" })
      const linked = yield* Effect.flatMap(LinkedIdentities, ({ list }) => list(user.id))
      yield* Effect.forEach(linked, ({ handle }) => client.submit("/account/identities/remove", { handle }), {
        concurrency: "unbounded"
      })
      return [yield* linksOf(user)]
    }),
    [1]
  ],
  "the same identity for two new accounts at once": [
    Effect.gen(function* () {
      const provider = yield* TestProvider.TestProvider
      const sub = fresh()
      const clients = [yield* TestApp.guest, yield* TestApp.guest]
      const emails = clients.map(() => `${fresh()}@example.com`)
      const responses = yield* Effect.forEach(
        clients,
        (client, at) => provider.signIn(client, { sub, email: emails[at] }),
        { concurrency: "unbounded" }
      )
      const users = yield* Effect.forEach(emails, (email) => Effect.flatMap(Users, ({ fetch }) => fetch(email)))
      return [users.filter(Option.isSome).length, responses.every(({ status }) => status === 303)]
    }),
    [1, true]
  ]
} as const

const other = OidcProvider.layer({
  id: "other",
  issuer: "https://other.invalid",
  clientId: "a",
  clientSecret: Redacted.make("b")
})

const services = Layer.merge(TestProvider.layer({ authoritativeFor: ["known.example"] }), Layer.orDie(other))

describeDatabases("An attack on a sign-in with a provider", (database) => {
  layer(TestApp.layer([], { environment: "production", database: database.layer, services }))((it) => {
    it.effect.each(Object.entries(flowIntegrity))("signs nobody in: %s", ([, attack]) =>
      Effect.map(attack, (found) => expect(found).toEqual(expired))
    )

    it.effect.each(Object.entries(protocol))("signs nobody in: %s", ([, [attack, expected]]) =>
      Effect.map(attack, (found) => expect(found).toEqual(expected))
    )

    it.effect.each(Object.entries(linking))("links nothing: %s", ([, [attack, expected]]) =>
      Effect.gen(function* () {
        const found: ReadonlyArray<unknown> = yield* attack
        expect(found.map((one, at) => (expected[at] === undefined ? undefined : one))).toEqual(expected)
      })
    )

    it.effect("begins nothing without the token of the form, nor by a link", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        expect((yield* client.request("/login/with/test", { form: {} })).status).toBe(403)
        expect([404, 405]).toContain((yield* client.get("/login/with/test")).status)
        expect((yield* client.submit("/login/with/unknown", {})).status).toBe(404)
      })
    )

    it.effect("sends the browser back to APP_URL, whatever host was asked", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        client.headers.set("x-forwarded-host", "evil.example")
        const { searchParams } = new URL(yield* begin(client))
        expect(searchParams.get("redirect_uri")).toBe(`${TestApp.appUrl}/login/with/test/callback`)
        expect(searchParams.get("code_challenge_method")).toBe("S256")
      })
    )

    it.effect("costs no row and no request to the provider to begin, and six flows fit a cookie", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const sql = yield* SqlClient.SqlClient
        const rows = Effect.map(sql`SELECT key FROM provider_flows`, ({ length }) => length)
        const client = yield* TestApp.guest
        yield* client.get(`/account/activity?${"a".repeat(1500)}`)
        yield* begin(client)
        const before = [yield* rows, (yield* provider.requests).length]
        const addresses = yield* Effect.replicateEffect(begin(client), 6)
        expect([yield* rows, (yield* provider.requests).length]).toEqual(before)
        expect(client.jar.get("session")?.length).toBeLessThan(3900)
        // The newest is there, whatever else the session holds.
        yield* Effect.flatMap(approve(addresses[5] ?? ""), client.get)
        expect(yield* who(client)).not.toBe("nobody")
      })
    )

    it.effect("completes six flows of six tabs", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const sub = fresh()
        const claims = { sub, email: `${sub}@example.com` }
        const addresses = yield* Effect.replicateEffect(begin(client), 6)
        const responses: Array<TestResponse> = []
        for (const address of addresses) {
          responses.push(yield* Effect.flatMap(approve(address, claims), client.get))
        }
        expect(responses.map(({ location }) => location)).toEqual(addresses.map(() => "/account"))
      })
    )

    it.effect("limits returns by client, and shows nothing of them", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const responses = yield* Effect.replicateEffect(
          client.get("/login/with/test/callback?code=secret-code&state=secret-state"),
          21
        )
        expect(responses.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 303), 429])
        expect(responses.every(({ body }) => !body.includes("secret-"))).toBe(true)
        for (const { headers } of responses) {
          expect(headers.get("referrer-policy")).toBe("strict-origin")
          expect(headers.get("cache-control")).toBe("no-store")
        }
      })
    )

    it.effect("completes a return over the limit that is loaded again once the limit allows", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const sub = fresh()
        const address = yield* Effect.flatMap(begin(client), (to) => approve(to, { sub, email: `${sub}@example.com` }))
        yield* Effect.replicateEffect(client.get("/login/with/test/callback"), 20)
        const refused = yield* client.get(address)
        expect([refused.status, yield* who(client)]).toEqual([429, "nobody"])
        yield* TestClock.adjust(Duration.seconds(Number(refused.headers.get("retry-after"))))
        expect((yield* client.get(address)).location).toBe("/account")
      })
    )

    it.effect("signs in after the provider has new keys, and asks for them once a minute at most", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const signedIn = Effect.gen(function* () {
          const client = yield* TestApp.guest
          const address = yield* begin(client)
          yield* Effect.flatMap(approve(address), client.get)
          return (yield* who(client)) !== "nobody"
        })
        const asked = Effect.map(provider.requests, (paths) => paths.filter((path) => path.endsWith("/keys")).length)
        expect(yield* signedIn).toBe(true)
        const before = yield* asked
        yield* provider.rotateKeys
        // The library and the provider of the test have the clock of the machine.
        vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 })
        expect(yield* signedIn).toBe(true)
        expect(yield* asked).toBe(before + 1)
        yield* provider.rotateKeys
        expect(yield* signedIn).toBe(false)
        expect(yield* asked).toBe(before + 1)
        vi.setSystemTime(Date.now() + 61_000)
        expect(yield* signedIn).toBe(true)
        expect(yield* asked).toBe(before + 2)
      }).pipe(Effect.ensuring(Effect.sync(() => vi.useRealTimers())))
    )
  })
})
