// Returns from an OpenID provider, one after the other, against the same by hand: `openid-client` with prepared statements.
import Sqlite from "better-sqlite3"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"
import * as OpenId from "openid-client"
import { LinkedIdentities } from "../../src/auth/LinkedIdentities.ts"
import { ProviderFlows } from "../../src/auth/internal/providers/ProviderFlows.ts"
import { type Flow, Providers } from "../../src/auth/Providers.ts"
import { Users } from "../../src/auth/Users.ts"
import * as SessionGrants from "../../src/session/internal/SessionGrants.ts"
import { Sessions } from "../../src/session/Session.ts"
import * as InsecurePassword from "../../testing/InsecurePassword.ts"
import * as TestProvider from "../../testing/TestProvider.ts"
import * as Rounds from "../Rounds.ts"
import * as Accounts from "./Accounts.ts"

const hash = (text: string): string => createHash("sha256").update(text).digest("hex")

const random = () => randomBytes(32).toString("base64url")

const claims = { sub: "ann", email: "provider@example.com" }

/** The provider signs in `ann` and tells the address that the browser comes back to. */
type Approve = (address: string) => Promise<string>

const redirect_uri = "https://app.example/login/with/test/callback"

// What one writes: state, nonce and verifier of each flow, a state that is used once, the identity, and a session.
const handWritten = async (file: string, issuer: string, approve: Approve) => {
  const config = await OpenId.discovery(
    new URL(issuer),
    "test-client",
    undefined,
    OpenId.ClientSecretPost("test-secret"),
    {
      execute: [OpenId.allowInsecureRequests, OpenId.enableNonRepudiationChecks],
      timeout: 5,
      // A boundary: the library gives `fetch` its own options.
      [OpenId.customFetch]: (url, options) => fetch(url, options as RequestInit)
    }
  )
  const database = new Sqlite(file, { timeout: 5000 })
  database.pragma("synchronous = NORMAL")
  const claim = database.prepare("INSERT INTO provider_flows (key, data, expires) VALUES (?, '', ?)")
  const find = database.prepare(
    "SELECT i.user_id, u.email FROM linked_identities i JOIN users u ON u.id = i.user_id WHERE i.issuer = ? AND i.subject = ?"
  )
  const use = database.prepare("UPDATE linked_identities SET last_used = ? WHERE issuer = ? AND subject = ?")
  database.exec("CREATE TABLE hand_sessions (key TEXT PRIMARY KEY, user_id TEXT, expires BIGINT)")
  const open = database.prepare("INSERT INTO hand_sessions VALUES (?, ?, ?)")
  const now = () => Math.floor(Date.now() / 1000)
  const signIn = async (): Promise<void> => {
    const [state, nonce, verifier] = [random(), random(), random()]
    const address = OpenId.buildAuthorizationUrl(config, {
      scope: "openid email profile",
      redirect_uri,
      state,
      nonce,
      code_challenge: await OpenId.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256"
    })
    const back = await approve(address.href)
    claim.run(hash(`hand ${state}`), now() + 600)
    const tokens = await OpenId.authorizationCodeGrant(config, new URL(back, redirect_uri), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true
    })
    const subject = tokens.claims()?.["sub"]
    const row = find.get(issuer, subject) as { readonly user_id: string } | undefined
    if (row === undefined) throw new Error("refused")
    database.transaction(() => {
      use.run(now(), issuer, subject)
      open.run(hash(random()), row.user_id, now() + 7200)
    })()
  }
  return { signIn, close: () => database.close() }
}

/** Returns for each second of the processor, ours and by hand; the provider is in the same process and in both. */
export const rates = async (file: string, count: number) => {
  const accounts = Accounts.runtime(file, InsecurePassword.layer)
  const runtime = ManagedRuntime.make(
    Layer.provideMerge(
      TestProvider.layer(),
      Layer.effectContext(accounts.runtimeEffect.pipe(Effect.map(({ context }) => context)))
    )
  )
  const enrol = Effect.gen(function* () {
    const id = yield* Effect.flatMap(Users, (users) => users.enroll(claims.email, Redacted.make(Accounts.password)))
    const { approve, issuer } = yield* TestProvider.TestProvider
    const identities = yield* LinkedIdentities
    yield* identities.link(id, { issuer, subject: claims.sub, provider: "test", label: claims.email })
    return { issuer, approve: (address: string) => Effect.runPromise(approve(address, claims)) }
  })
  const signIn = Effect.fnUntraced(function* (approve: Approve) {
    const [provider] = yield* Effect.flatMap(Providers, ({ all }) => all)
    if (provider === undefined) return yield* Effect.dieMessage("no provider")
    const state = yield* Accounts.state
    const session = (yield* Sessions).attach(state, {})
    const flow: Flow = { state: random(), verifier: Redacted.make(random()), redirectUri: redirect_uri, isFresh: false }
    const address = yield* provider.authorize(flow)
    const back = yield* Effect.promise(() => approve(address.href))
    yield* session.trackRevocations
    yield* Effect.flatMap(ProviderFlows, ({ claim }) => claim(flow.state))
    const person = yield* provider.identify(new URL(back, redirect_uri).searchParams, flow)
    const identities = yield* LinkedIdentities
    const { identity } = yield* Effect.flatten(identities.find(person))
    yield* identities.recordUse(identity.id, person)
    yield* session[SessionGrants.signIn](identity)
    yield* state.session?.commit ?? Effect.void
  })
  const { approve, issuer } = await runtime.runPromise(enrol)
  const hand = await handWritten(file, issuer, approve)
  try {
    const rate = (work: () => Promise<unknown>) => async () => {
      const start = process.cpuUsage()
      for (let done = 0; done < 20; done++) await work()
      const { system, user } = process.cpuUsage(start)
      return 20e6 / (system + user)
    }
    const takes = { ours: rate(() => runtime.runPromise(signIn(approve))), hand: rate(hand.signIn) }
    await Rounds.take(takes, 5)
    return await Rounds.take(takes, count)
  } finally {
    hand.close()
    await runtime.dispose()
    await accounts.dispose()
  }
}
