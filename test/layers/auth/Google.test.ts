import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as Google from "../../../layers/auth/Google.ts"
import * as Providers from "../../../src/auth/Providers.ts"
import * as AddedProviders from "../../../src/auth/internal/providers/AddedProviders.ts"

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
