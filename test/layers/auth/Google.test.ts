import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as Google from "../../../layers/auth/Google.ts"
import * as Claims from "../../../src/auth/internal/providers/Claims.ts"
import * as Providers from "../../../src/auth/Providers.ts"
import * as AddedProviders from "../../../src/auth/internal/providers/AddedProviders.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"

it.effect("speaks for its own mailboxes and those of the named domains alone", () =>
  Effect.gen(function* () {
    const layer = Google.layer({
      clientId: "a",
      clientSecret: Redacted.make("b"),
      authoritativeFor: ["Workspace.example"]
    })
    const [google] = yield* Effect.flatMap(Providers.Providers, ({ all }) => all).pipe(
      Effect.provide(Layer.provideMerge(layer, AddedProviders.layer))
    )
    const domains = ["gmail.com", "googlemail.com", "workspace.example", "example.com", "mail.gmail.com", "google.com"]
    expect(domains.map((domain) => google?.isAuthoritativeFor(domain))).toEqual([true, true, true, false, false, false])
    // It knows no `max_age`: whoever has the session of a person at Google would confirm as them.
    expect(google?.asksAgain).toBe(false)
    expect(yield* google?.origins ?? Effect.succeed([])).toEqual(["https://accounts.google.com"])
  })
)

// What Google's accounts have from it, at a provider of the test: its issuer is the network.
it.scoped.each([
  ["an account of the Workspace", { email: "ann@company.example", hd: "company.example" }, true],
  ["a consumer account with an address of the company", { email: "ann@company.example" }, false],
  ["an account of another Workspace", { email: "ann@company.example", hd: "other.example" }, false],
  ["a mailbox of its own", { email: "ann@gmail.com" }, true],
  ["a mailbox of its own that is not verified", { email: "ann@gmail.com", email_verified: false }, false]
] as const)("takes its word for the mailbox of %s: %o, %s", ([, claims, isVerified]) =>
  Effect.gen(function* () {
    const server = yield* TestProvider.TestProvider
    const [provider] = yield* Effect.flatMap(Providers.Providers, ({ all }) => all)
    if (provider === undefined) return expect.unreachable()
    const flow = { state: "s", verifier: Redacted.make("v"), redirectUri: "https://app.example/back", isFresh: false }
    const { href } = yield* provider.authorize(flow)
    const path = yield* server.approve(href, { sub: "ann", email_verified: true, ...claims })
    const person = yield* provider.identify(new URL(path, flow.redirectUri).searchParams, flow)
    expect(person).toMatchObject({ subject: "ann", isVerified })
  }).pipe(
    Effect.provide(
      Layer.provideMerge(TestProvider.layer({ provesAddress: Claims.google.provesAddress }), AddedProviders.layer)
    )
  )
)
