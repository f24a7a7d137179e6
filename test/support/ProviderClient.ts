// A client of the typed API that signs in with the provider of the test: it begins, a browser returns, and it has a code.
import { expect } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { createHash, randomBytes } from "node:crypto"
import * as TestApp from "../../testing/TestApp.ts"
import type { TestClient } from "../../testing/TestClient.ts"
import * as TestProvider from "../../testing/TestProvider.ts"
import { Api, app, everything } from "./AccountsApp.ts"
import type { TestEngine } from "./Databases.ts"

type Json = Readonly<Record<string, unknown>>

/** A return address that the program lists. */
export const listed = "com.example.app:/signed-in"

/** The accounts as pages and as an API, with a provider. */
export const server = (database: TestEngine) =>
  TestApp.layerOf(app, {
    environment: "production",
    database: database.layer,
    settings: { returnUrls: [listed, "https://spa.example/back?tab=1"] },
    services: Layer.merge(everything, TestProvider.layer({ authoritativeFor: ["known.example"] }))
  })

/** What a client keeps to itself, and what it tells. */
export const secretOf = () => {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

/** The endpoints of accounts, for this client. */
export const clientOf = (client: TestClient) => Effect.map(TestApp.apiClient(Api, client), ({ accounts }) => accounts)

/** Where a browser is sent to by the return from the provider. */
export const returning = Effect.fnUntraced(function* (url: string, claims: Json, browser?: TestClient) {
  const provider = yield* TestProvider.TestProvider
  const path = yield* provider.approve(url, claims)
  const { location = "", status } = yield* (browser ?? (yield* TestApp.guest)).get(path)
  expect(status).toBe(303)
  return location
})

/** The code that a browser has brought back. */
export const codeIn = (location: string) => Redacted.make(new URL(location).searchParams.get("code") ?? "none")

/** A client without cookies that has a code. */
export const withCode = Effect.fnUntraced(function* (claims: Json) {
  const client = yield* TestApp.guest
  const accounts = yield* clientOf(client)
  const { challenge, verifier } = secretOf()
  const { url } = yield* accounts.beginProviderBearer({
    path: { provider: "test" },
    payload: { challenge, return_to: listed }
  })
  const location = yield* returning(url, claims)
  expect(location.startsWith(`${listed}?code=`)).toBe(true)
  return { client, accounts, payload: { code: codeIn(location), verifier: Redacted.make(verifier) } }
})

/** The header with the secret of a session. */
export const bearerOf = (outcome: object) => {
  if (!("bearer" in outcome)) throw new Error(`No bearer: ${Object.keys(outcome).join()}`)
  const { bearer } = outcome as { readonly bearer: { readonly token: Redacted.Redacted } }
  return `Bearer ${Redacted.value(bearer.token)}`
}

/** A browser that has a code, at a path of this site. */
export const inBrowser = Effect.fnUntraced(function* (claims: Json) {
  const client = yield* TestApp.guest
  const accounts = yield* clientOf(client)
  const { challenge, verifier } = secretOf()
  const { url } = yield* accounts.beginProvider({
    path: { provider: "test" },
    payload: { challenge, return_to: "/spa?from=login" }
  })
  const location = yield* returning(url, claims, client)
  expect(location.startsWith(`${TestApp.appUrl}/spa?from=login&code=`)).toBe(true)
  return { client, accounts, payload: { code: codeIn(location), verifier: Redacted.make(verifier) } }
})
