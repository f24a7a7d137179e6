// What somebody can try at a sign-in with a provider by the typed API, each with its outcome, over real sockets.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted, TestClock } from "effect"
import type { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import type { Users } from "../../../src/auth/Users.ts"
import type { ServerAddress } from "../../../src/server/ServerAddress.ts"
import type { Sessions } from "../../../src/session/Session.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { describeDatabases } from "../../support/Databases.ts"
import {
  clientOf,
  codeIn,
  inBrowser,
  listed,
  returning,
  secretOf,
  server,
  withCode
} from "../../support/ProviderClient.ts"

let count = 0
const claims = () => ({ sub: `attack-${count}`, email: `attack-${count++}@example.com` })

const to = { provider: "test" }

/** The tag of a failure, or what was granted. */
const tagOf = <A extends object, E extends { readonly _tag: string }, R>(sent: Effect.Effect<A, E, R>) =>
  Effect.match(sent, { onFailure: ({ _tag }) => _tag, onSuccess: (found) => Object.keys(found).toSorted().join(" ") })

const granted = "account bearer"

type Needs = AuthConfig | LinkedIdentities | ServerAddress | Sessions | TestProvider.TestProvider | Users

const attacks: Readonly<Record<string, Effect.Effect<string, unknown, Needs>>> = {
  "a code that was used": Effect.gen(function* () {
    const { accounts, payload } = yield* withCode(claims())
    expect(yield* tagOf(accounts.signInProviderBearer({ payload }))).toBe(granted)
    return yield* tagOf(accounts.signInProviderBearer({ payload }))
  }),
  "a code after a minute": Effect.gen(function* () {
    const { accounts, payload } = yield* withCode(claims())
    yield* TestClock.adjust("60 seconds")
    return yield* tagOf(accounts.signInProviderBearer({ payload }))
  }),
  "a code from the address of the client, with a verifier of the thief": Effect.gen(function* () {
    const { accounts, payload } = yield* withCode(claims())
    const verifier = Redacted.make(secretOf().verifier)
    const outcome = yield* tagOf(accounts.signInProviderBearer({ payload: { ...payload, verifier } }))
    // Nobody else can use it up.
    expect(yield* tagOf(accounts.signInProviderBearer({ payload }))).toBe(granted)
    return outcome
  }),
  "the challenge in place of its text": Effect.gen(function* () {
    const accounts = yield* clientOf(yield* TestApp.guest)
    const { challenge } = secretOf()
    const { url } = yield* accounts.beginProviderBearer({ path: to, payload: { challenge, return_to: listed } })
    const code = codeIn(yield* returning(url, claims()))
    return yield* tagOf(accounts.signInProviderBearer({ payload: { code, verifier: Redacted.make(challenge) } }))
  }),
  "a code of a browser, redeemed without its cookies": Effect.gen(function* () {
    const { payload } = yield* inBrowser(claims())
    const accounts = yield* clientOf(yield* TestApp.guest)
    return yield* tagOf(accounts.signInProviderBearer({ payload }))
  }),
  "a code of a client without cookies, in a browser (login CSRF)": Effect.gen(function* () {
    const { payload } = yield* withCode(claims())
    const accounts = yield* clientOf(yield* TestApp.guest)
    return yield* tagOf(accounts.signInProvider({ payload }))
  }),
  "a code of a browser, in another one": Effect.gen(function* () {
    const { payload } = yield* inBrowser(claims())
    const accounts = yield* clientOf(yield* TestApp.guest)
    return yield* tagOf(accounts.signInProvider({ payload }))
  }),
  "a code of a sign-in, to connect": Effect.gen(function* () {
    const { payload } = yield* withCode(claims())
    const accounts = yield* clientOf(yield* TestApp.bearerUser())
    return yield* tagOf(accounts.addIdentity({ payload }))
  }),
  "a code of a sign-in, to confirm": Effect.gen(function* () {
    const { payload } = yield* withCode(claims())
    const accounts = yield* clientOf(yield* TestApp.bearerUser())
    return yield* tagOf(accounts.confirmProvider({ payload }))
  }),
  "a code of a sign-in, to sign up": Effect.gen(function* () {
    const { accounts, payload } = yield* withCode(claims())
    return yield* tagOf(accounts.signUpProviderBearer({ payload: { ...payload, email: "other@example.com" } }))
  }),
  "a code to connect, to sign in": Effect.gen(function* () {
    const { accounts, payload } = yield* linking()
    return yield* tagOf(accounts.signInProviderBearer({ payload }))
  }),
  "a code to connect, of another account": Effect.gen(function* () {
    const { payload } = yield* linking()
    const other = yield* clientOf(yield* TestApp.bearerUser())
    return yield* tagOf(other.addIdentity({ payload }))
  }),
  "a code to connect, in another session of the account": Effect.gen(function* () {
    const { payload, user } = yield* linking()
    const other = yield* clientOf(yield* TestApp.bearerUser(user))
    return yield* tagOf(other.addIdentity({ payload }))
  }),
  "a code whose identity was disconnected meanwhile": Effect.gen(function* () {
    const user = yield* TestApp.enrolledUser()
    const { issuer } = yield* TestProvider.TestProvider
    const identities = yield* LinkedIdentities
    const { sub: subject } = claims()
    const { handle } = yield* identities.link(user.id, { issuer, subject, provider: "test", label: "x" })
    const { accounts, payload } = yield* withCode({ sub: subject })
    yield* identities.remove(user.id, handle)
    const outcome = yield* accounts.signInProviderBearer({ payload })
    return "next" in outcome && outcome.next === "sign-up" ? "PendingEnded" : "signed in"
  })
}

/** A code with which a client connects an identity. */
const linking = Effect.fnUntraced(function* () {
  const member = yield* TestApp.bearerUser()
  const accounts = yield* clientOf(member)
  const { challenge, verifier } = secretOf()
  const { url } = yield* accounts.beginIdentity({ path: to, payload: { challenge, return_to: listed } })
  const payload = { code: codeIn(yield* returning(url, claims())), verifier: Redacted.make(verifier) }
  return { accounts, payload, user: member.user }
})

const foreign = [
  "https://evil.example/",
  `${listed}/x`,
  `${listed}?x=1`,
  `${listed}#x`,
  "https://spa.example/back",
  "https://spa.example/back?tab=1&x=2",
  "https://spa.example.evil.example/back?tab=1",
  "https://SPA.example/back?tab=1",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  ""
]

describeDatabases("An attack on a sign-in with a provider by the API", (database) => {
  layer(server(database))((it) => {
    it.effect.each(Object.entries(attacks))("grants nothing: %s", ([, attack]) =>
      Effect.map(attack, (found) => expect(found).toBe("PendingEnded"))
    )

    it.effect("grants one session for a code that is sent by two at once", () =>
      Effect.gen(function* () {
        const { accounts, payload } = yield* withCode(claims())
        const send = tagOf(accounts.signInProviderBearer({ payload }))
        const outcomes = yield* Effect.all([send, send, send], { concurrency: "unbounded" })
        expect(outcomes.toSorted()).toEqual(["PendingEnded", "PendingEnded", granted])
      })
    )

    it.effect.each(foreign)("sends no browser to %s", (return_to) =>
      Effect.gen(function* () {
        const accounts = yield* clientOf(yield* TestApp.guest)
        const { challenge } = secretOf()
        for (const begin of [accounts.beginProvider, accounts.beginProviderBearer]) {
          const failure = yield* Effect.flip(begin({ path: to, payload: { challenge, return_to } }))
          expect(failure).toMatchObject({ _tag: "InvalidInput", fields: { return_to: expect.any(String) } })
        }
      })
    )

    it.effect("sends the browser of a client without cookies to no path, and takes no weak challenge", () =>
      Effect.gen(function* () {
        const accounts = yield* clientOf(yield* TestApp.guest)
        const { challenge } = secretOf()
        const begin = (payload: { readonly challenge: string; readonly return_to: string }) =>
          Effect.map(Effect.flip(accounts.beginProviderBearer({ path: to, payload })), ({ _tag }) => _tag)
        expect(yield* begin({ challenge, return_to: "/spa" })).toBe("InvalidInput")
        for (const weak of ["", "short", `${challenge}=`, "plain text that is long enough to be a challenge!!"]) {
          expect(yield* begin({ challenge: weak, return_to: listed })).toBe("InvalidInput")
        }
      })
    )

    it.effect("returns with no code by another browser, twice, with a foreign state or that of another provider", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const browser = yield* TestApp.guest
        const accounts = yield* clientOf(browser)
        const begin = Effect.map(
          accounts.beginProvider({ path: to, payload: { challenge: secretOf().challenge, return_to: "/spa" } }),
          ({ url }) => url
        )
        const expired = `${TestApp.appUrl}/spa?error=expired`
        expect(yield* returning(yield* begin, claims())).toBe(expired)
        const path = yield* provider.approve(yield* begin, claims())
        expect((yield* browser.get(`${path}&state=x`)).location).toBe(expired)
        expect((yield* browser.get(path)).location).toContain("?code=")
        expect((yield* browser.get(path)).location).toBe(expired)
        const changed = path.replace(/state=([^&]+)/, (_, state: string) => `state=${state.slice(0, -4)}AAAA`)
        for (const other of [changed, "/login/with/test/callback?code=x&state=1.AAAA"]) {
          expect((yield* browser.get(other)).location).toBe("/login")
        }
      })
    )

    it.effect("costs no row and no request to begin", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const sql = yield* SqlClient.SqlClient
        const rows = Effect.map(sql`SELECT key FROM provider_flows`, ({ length }) => length)
        const accounts = yield* clientOf(yield* TestApp.guest)
        const payload = { challenge: secretOf().challenge, return_to: listed }
        const begin = accounts.beginProviderBearer({ path: to, payload })
        yield* begin
        const before = [yield* rows, (yield* provider.requests).length]
        yield* Effect.replicateEffect(begin, 10)
        expect([yield* rows, (yield* provider.requests).length]).toEqual(before)
      })
    )

    it.effect("tells the provider nothing of the client", () =>
      Effect.gen(function* () {
        const accounts = yield* clientOf(yield* TestApp.guest)
        const { challenge } = secretOf()
        const { url } = yield* accounts.beginProviderBearer({ path: to, payload: { challenge, return_to: listed } })
        const state = new URL(url).searchParams.get("state") ?? ""
        const readable = Buffer.from(state.split(".")[1] ?? "", "base64url").toString("latin1")
        for (const secret of [challenge, "com.example.app"]) expect(url + readable).not.toContain(secret)
      })
    )
  })
})
