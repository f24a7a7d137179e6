// GitHub as a provider, with a server in its place: who the person is comes from its API.
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { createHash } from "node:crypto"
import * as GitHub from "../../../layers/auth/GitHub.ts"
import * as Providers from "../../../src/auth/Providers.ts"
import * as AddedProviders from "../../../src/auth/internal/providers/AddedProviders.ts"
import * as GitHubServer from "../../support/GitHubServer.ts"

const verifier = "a verifier of forty-three characters or more"

const flow = { state: "s", verifier: Redacted.make(verifier), redirectUri: "https://app.example/back", isFresh: false }

const provider = Effect.fnUntraced(function* (said: GitHubServer.Said) {
  const url = yield* GitHubServer.start(said)
  const options = {
    clientId: "id",
    clientSecret: Redacted.make("secret"),
    url,
    apiUrl: url,
    network: "loopback"
  } as const
  const context = yield* Layer.build(Layer.provideMerge(GitHub.layer(options), AddedProviders.layer))
  const [github] = yield* Effect.flatMap(Providers.Providers, ({ all }) => all).pipe(Effect.provide(context))
  return github ?? (yield* Effect.dieMessage("no provider"))
})

const identified = (said: GitHubServer.Said) =>
  Effect.flatMap(provider(said), (github) => github.identify(new URLSearchParams({ code: "c", state: "s" }), flow))

const ann = { id: 42, login: "ann" }

it.scoped("asks for the address, with PKCE", () =>
  Effect.gen(function* () {
    const github = yield* provider({})
    const { pathname, searchParams } = yield* github.authorize(flow)
    expect(pathname).toBe("/login/oauth/authorize")
    expect(searchParams.get("scope")).toBe("read:user user:email")
    expect(searchParams.get("code_challenge")).toBe(createHash("sha256").update(verifier).digest("base64url"))
    expect(github.isAuthoritativeFor("example.com")).toBe(false)
    expect(github.asksAgain).toBe(false)
    // There is no discovery: what is needed is known at once.
    expect(yield* github.state).toBe("ready")
  })
)

it.scoped("has the number of the account as the subject, and its primary address", () =>
  Effect.gen(function* () {
    const emails = [
      { email: "old@example.com", primary: false, verified: true },
      { email: "Ann@example.com", primary: true, verified: true }
    ]
    expect(yield* identified({ user: ann, emails })).toMatchObject({
      subject: "42",
      email: "ann@example.com",
      isVerified: true,
      label: "ann@example.com"
    })
  })
)

it.scoped.each([
  ["two primary addresses", [1, 2].map((n) => ({ email: `a${n}@example.com`, primary: true, verified: true }))],
  ["none", []],
  ["no list", { message: "Not Found" }]
] as const)("has no address with %s", ([, emails]) =>
  Effect.gen(function* () {
    expect(yield* identified({ user: ann, emails })).toMatchObject({
      email: undefined,
      isVerified: false,
      label: "ann"
    })
  })
)

it.scoped("takes only a boolean for a verified address", () =>
  Effect.gen(function* () {
    const emails = [{ email: "ann@example.com", primary: true, verified: "true" }]
    expect(yield* identified({ user: ann, emails })).toMatchObject({ isVerified: false })
  })
)

it.scoped.each([
  ["no number", { login: "ann" }],
  ["a text for it", { id: "42", login: "ann" }],
  ["zero", { id: 0, login: "ann" }],
  ["nothing", undefined]
] as const)("refuses a person with %s", ([, user]) =>
  Effect.gen(function* () {
    expect(yield* Effect.flip(identified({ user: user ?? null, emails: [] }))).toMatchObject({
      _tag: "ProviderRefused",
      reason: "claims"
    })
  })
)

it.scoped("refuses a code that GitHub does not take, which it says with 200", () =>
  Effect.gen(function* () {
    const token = { error: "bad_verification_code", error_description: "The code passed is incorrect or expired." }
    expect(yield* Effect.flip(identified({ user: ann, emails: [], token }))).toMatchObject({ _tag: "ProviderRefused" })
  })
)
