// What a flow with a provider must keep to itself: codes, states, nonces, verifiers, tokens and the client's secret are in no line
// of a log, no span, metric, report, message, page or header, also when the provider lies and when a store fails.
import { expect, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, LogLevel, Metric, Redacted, TestClock } from "effect"
import * as AccessLog from "../../../layers/observability/AccessLog.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import * as ConsoleReport from "../../../src/errors/internal/ConsoleReport.ts"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import { Sources } from "../../../src/errors/Sources.ts"
import * as CapturedMail from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient, TestResponse } from "../../../testing/TestClient.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { app, everything } from "../../support/AccountsApp.ts"
import { listed, secretOf } from "../../support/ProviderClient.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"

type Json = Readonly<Record<string, unknown>>

const lines: Array<string> = []

const logged = Layer.merge(
  Logger.add(Logger.map(Logger.jsonLogger, (line) => void lines.push(line))),
  Logger.minimumLogLevel(LogLevel.All)
)

let isBroken = false

// A store that fails with what it was given, in the middle of a return.
const failing = Layer.effect(
  LinkedIdentities,
  Effect.map(LinkedIdentities, (service) =>
    LinkedIdentities.of({
      ...service,
      find: (subject) => (isBroken ? Effect.die(new Error("the store is broken")) : service.find(subject))
    })
  )
)

const server = (environment: "development" | "production") =>
  TestApp.layerOf(app, {
    environment,
    settings: { returnUrls: [listed] },
    services: Layer.mergeAll(
      everything,
      TestProvider.layer(),
      AccessLog.layerWith({ write: (text) => void lines.push(text) })
    ).pipe(Layer.provideMerge(failing))
  }).pipe(Layer.provideMerge(RecordedSpans.layer), Layer.provideMerge(logged))

const sources = Sources.of({ root: "/", locate: (place) => place, read: () => undefined })

/** The secrets in the address of the provider, and those in the cookie of the browser. */
const secretsOf = (address: string) =>
  ["state", "nonce", "code_challenge"].flatMap((name) => new URL(address).searchParams.get(name) ?? [])

const verifiersIn = (client: TestClient) => {
  const payload = (client.jar.get("session") ?? "").split(".")[2] ?? ""
  return Array.from(
    Buffer.from(payload, "base64url")
      .toString()
      .matchAll(/[\w-]{43}/g),
    ([text]) => text
  )
}

let count = 0

for (const environment of ["development", "production"] as const) {
  layer(server(environment))(`The secrets of providers in ${environment}`, (it) => {
    it.scoped("are in no response, log, span, metric, report or message", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const reports: Array<string> = []
        const reporters = yield* Reporters
        yield* reporters.add((throwable, facts, hidden) =>
          Effect.sync(() => {
            const secrets = hidden()
            reports.push(RecordLine.encode(RecordLine.maker(sources).make(throwable, facts, 0, secrets)))
            reports.push(ConsoleReport.render(throwable, { sources, secrets }), JSON.stringify(facts))
          })
        )
        const secrets = new Set<string>()
        const shown: Array<string> = []
        /** What a response shows; where it sends a browser is looked at on its own. */
        const see = (response: TestResponse) => {
          const headers = Array.from(response.headers).filter(([name]) => !["location", "set-cookie"].includes(name))
          shown.push(response.body, JSON.stringify(headers))
          return response
        }
        const callback = Effect.fnUntraced(function* (client: TestClient, address: string, claims: Json) {
          for (const secret of [...secretsOf(address), ...verifiersIn(client)]) secrets.add(secret)
          const response = see(yield* client.get(yield* provider.approve(address, claims)))
          expect(response.headers.get("referrer-policy")).toBe("strict-origin")
          // The next page has none of it in its address.
          const { location = "" } = response
          if (!location.startsWith(listed)) expect(location).not.toContain("?")
          see(yield* client.follow("/login"))
          return location
        })
        const flow = Effect.fnUntraced(function* (client: TestClient, path: string, claims: Json) {
          const begun = see(yield* client.submit(path, {}))
          return yield* callback(client, begun.location ?? "", claims)
        })
        const someone = () => ({ sub: `leak-${count}`, email: `leak-${count++}@example.com` })

        // Honest: a sign-up, a sign-in with a second factor, an identity that is connected, a confirmation.
        const ann = yield* TestApp.guest
        const claims = someone()
        expect(yield* flow(ann, "/login/with/test", claims)).toBe("/account")
        for (const path of ["/account", "/account/identities", "/account/activity"]) see(yield* ann.get(path))
        const bob = yield* TestApp.signedInUser()
        yield* TestApp.authenticatorApp(bob.user)
        yield* flow(bob, "/account/identities/link/test", { sub: "leak-bob" })
        yield* flow(bob, "/confirm/with/test", { sub: "leak-bob", auth_time: 1e12 })
        const again = yield* TestApp.guest
        expect(yield* flow(again, "/login/with/test", { sub: "leak-bob" })).toBe("/login/factor")
        yield* flow(yield* TestApp.guest, "/login/with/test", { sub: "leak-nobody" })
        yield* flow(yield* TestApp.guest, "/login/with/test", { sub: "leak-carl", email: bob.user.email })

        // Lying: each reason of a refusal, and a provider that says secrets aloud.
        const lies: ReadonlyArray<TestProvider.Lies> = [
          { signature: "broken" },
          { signature: "foreign" },
          { claims: (honest) => ({ ...honest, nonce: "other" }) },
          { claims: (honest) => ({ ...honest, sub: "" }) },
          { callback: (back) => back.set("error", `access_denied ${back.get("code")}`) },
          { callback: (back) => back.set("error_description", `${back.get("code")} ${back.get("state")}`) },
          { callback: (back) => back.append("state", "twice") },
          { answer: (path) => (path === "/token" ? { status: 500, body: "test-secret" } : undefined) },
          { answer: (path) => (path === "/token" ? { status: 401, body: '{"error":"invalid_client"}' } : undefined) },
          { answer: (path) => (path === "/keys" ? { status: 302, location: "http://127.0.0.1:1/" } : undefined) }
        ]
        for (const lie of lies) {
          const client = yield* TestApp.guest
          const { location = "" } = yield* client.submit("/login/with/test", {})
          yield* provider.lie(lie)
          yield* callback(client, location, someone())
          yield* provider.lie({})
        }

        // By the API: the code of the client, its verifier, and the state that holds the flow.
        const app = yield* TestApp.guest
        const { challenge, verifier } = secretOf()
        const begun = yield* app.json("POST", "/api/bearer/sign-in/with/test", { challenge, return_to: listed })
        const { url } = begun.json as { readonly url: string }
        const back = yield* callback(yield* TestApp.guest, url, someone())
        const code = new URL(back).searchParams.get("code") ?? ""
        for (const secret of [code, verifier, challenge]) secrets.add(secret)
        see(yield* app.json("POST", "/api/bearer/sign-in/provider", { code, verifier: "wrong" }))
        const done = yield* app.json("POST", "/api/bearer/sign-in/provider", { code, verifier })
        const { bearer } = done.json as { readonly bearer: { readonly token: string } }
        secrets.add(bearer.token)

        // A store that fails under a return, whose address has the code.
        isBroken = true
        const unlucky = yield* TestApp.guest
        const { location: address = "" } = yield* unlucky.submit("/login/with/test", {})
        const failed = yield* unlucky.get(yield* provider.approve(address, someone()))
        isBroken = false
        expect(failed.status).toBe(500)
        for (const secret of [...secretsOf(address), ...verifiersIn(unlucky)]) secrets.add(secret)
        see(failed)

        for (const secret of yield* provider.secrets) secrets.add(secret)
        yield* reporters.settle
        // The lines of the access log wait for a moment.
        yield* TestClock.adjust("1 second")
        const spans = yield* RecordedSpans.RecordedSpans
        const mails = yield* Effect.flatMap(CapturedMail.CapturedMail, ({ messages }) => messages)
        const places = {
          responses: shown.join("\n"),
          log: lines.join("\n"),
          spans: JSON.stringify(
            // The value of a success is not exported.
            spans.map((span) => {
              const exit = RecordedSpans.exitOf(span)
              return [
                span.name,
                Array.from(span.attributes),
                exit !== undefined && Exit.isFailure(exit) ? String(exit) : ""
              ]
            })
          ),
          metrics: JSON.stringify(yield* Metric.snapshot, (_, value: unknown) =>
            typeof value === "bigint" ? String(value) : value
          ),
          reports: reports.join("\n"),
          mails: JSON.stringify(mails, (_, value: unknown) => (Redacted.isRedacted(value) ? "" : value))
        }
        // All of them were looked at.
        expect(secrets.size).toBeGreaterThan(60)
        for (const text of Object.values(places)) expect(text.length).toBeGreaterThan(500)
        for (const line of ["has signed nobody in", "/login/with/:provider/callback"])
          expect(places.log).toContain(line)
        for (const [place, text] of Object.entries(places)) {
          const found = [...secrets].filter((secret) => secret.length > 8 && text.includes(secret))
          expect([place, found]).toEqual([place, []])
          expect([place, /eyJ[\w-]{20,}\.[\w-]{20,}\./.exec(text)?.[0]]).toEqual([place, undefined])
        }
      })
    )
  })
}
