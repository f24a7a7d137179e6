// What the routes of accounts are sent stays out of the access log, spans, reports and the debug page, also when they fail.
import { expect, layer } from "@effect/vitest"
import { type Context, Effect, Layer, Redacted } from "effect"
import * as AccessLog from "../../../layers/observability/AccessLog.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import * as ConsoleReport from "../../../src/errors/internal/ConsoleReport.ts"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import { Sources } from "../../../src/errors/Sources.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import { app, services } from "../../support/AccountsApp.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"

const verifier = "ca".repeat(32)
const secrets = {
  code: "815942",
  credential: "canary-credential",
  enrolment: "canary-enrolment",
  pending: "canary-pending"
}

const plain = (value: unknown): unknown => (Redacted.isRedacted(value) ? Redacted.value(value) : value)

/** A store that fails with everything that it was given, as a careless driver does. */
const broken = <Id, S extends object>(tag: Context.Tag<Id, S>, names: ReadonlyArray<keyof S>) =>
  Layer.effect(
    tag,
    Effect.map(tag, (service) => {
      const fail = (...given: ReadonlyArray<unknown>) =>
        Effect.die(
          new Error(
            `failed with ${given.map((one) => String(plain(one))).join(" ")} ${JSON.stringify(given.map(plain))}`
          )
        )
      return { ...service, ...Object.fromEntries(names.map((name) => [name, fail])) }
    })
  )

const lines: Array<string> = []

const stores = Layer.mergeAll(
  broken(Tokens, ["redeem", "owner", "check"]),
  broken(AccountChanges, ["find", "changeEmail", "undoEmail"]),
  broken(Factors, ["confirm", "verify"]),
  broken(PendingSignIns, ["find", "spend"]),
  broken(Passkeys, ["enroll", "verify"])
)

const server = (environment: "development" | "production") =>
  TestApp.layerOf(app, {
    environment,
    services: Layer.merge(services, AccessLog.layerWith({ write: (text) => void lines.push(text) })).pipe(
      Layer.provideMerge(stores)
    )
  }).pipe(Layer.provideMerge(RecordedSpans.layer))

const links = [
  ...new Set(AuthRoutes.routes.map(({ path }) => String(path)).filter((path) => path.includes(":verifier")))
]

/** Requests with a secret in their body, of a signed-in person. */
const bodies = [
  ["/login/factor/passkey", { credential: secrets.credential }],
  ["/login/passkey", { credential: secrets.credential }],
  ["/account/passkeys", { name: "Phone", credential: secrets.credential }],
  ["/account/factors", { name: "Phone", enrolment: secrets.enrolment, code: secrets.code }],
  ["/api/bearer/sign-in/factor", { pending: secrets.pending, code: secrets.code }]
] as const

const sources = Sources.of({ root: "/", locate: (place) => place, read: () => undefined })

const canaries = [verifier, ...Object.values(secrets)]

const leaks = (text: string) => canaries.filter((canary) => text.includes(canary))

for (const environment of ["development", "production"] as const) {
  layer(server(environment))(`The secrets of accounts in ${environment}`, (it) => {
    it.scoped("are in no response, report, span or line of the log", () =>
      Effect.gen(function* () {
        const reports: Array<string> = []
        const reporters = yield* Reporters
        yield* reporters.add((throwable, facts, hidden) =>
          Effect.sync(() => {
            const given = hidden()
            reports.push(RecordLine.encode(RecordLine.maker(sources).make(throwable, facts, 0, given)))
            reports.push(ConsoleReport.render(throwable, { sources, secrets: given }), JSON.stringify(facts))
          })
        )
        const failed: Array<string> = []
        const sent = Effect.fnUntraced(function* (client: TestClient, method: string, path: string, json?: unknown) {
          const { token } = (yield* client.json("GET", "/csrf")).json as { readonly token: string }
          for (const accept of ["text/html", "application/json"]) {
            const headers = { accept, "x-csrf-token": token }
            const response = yield* client.request(path, { method, headers, ...(json !== undefined && { json }) })
            if (response.status === 500) failed.push(`${method} ${path.replace(/\/0{16}\/.*/, "")}`)
            expect([method, path.replace(verifier, ""), leaks(response.body)]).toEqual([
              method,
              path.replace(verifier, ""),
              []
            ])
          }
        })
        for (const path of links) {
          const filled = path.replace(":selector", "0".repeat(16)).replace(":verifier", verifier)
          const isOfAccount = path.startsWith("/verify") || path.startsWith("/account/email/:")
          for (const method of ["GET", "POST"]) {
            const client = isOfAccount ? yield* TestApp.signedInUser() : yield* TestApp.guest
            yield* sent(client, method, filled, method === "POST" ? {} : undefined)
          }
        }
        for (const [path, json] of bodies) {
          const isGuest = path.includes("login") || path.includes("sign-in")
          yield* sent(isGuest ? yield* TestApp.guest : yield* TestApp.signedInUser(), "POST", path, json)
        }
        // Every one of them has reached a store that fails, but a second factor without a pending sign-in.
        expect([...new Set(failed)].sort()).toEqual(
          [
            "GET /account/email",
            "GET /account/email/undo",
            "GET /not-me",
            "GET /reset",
            "GET /verify",
            "POST /account/email",
            "POST /account/email/undo",
            "POST /account/factors",
            "POST /account/passkeys",
            "POST /api/bearer/sign-in/factor",
            "POST /login/passkey",
            "POST /not-me",
            "POST /reset"
          ].sort()
        )
        yield* reporters.settle
        expect(reports.length).toBeGreaterThan(30)
        expect(leaks(reports.join("\n"))).toEqual([])
        const spans = yield* RecordedSpans.RecordedSpans
        expect(spans.length).toBeGreaterThan(30)
        expect(leaks(JSON.stringify(spans.map(({ attributes, name }) => [name, Array.from(attributes)])))).toEqual([])
      })
    )
  })
}

layer(server("production"))("The access log of accounts", (it) => {
  it.effect("has the pattern of a link, never the link", () =>
    Effect.gen(function* () {
      expect(lines.join("")).toContain("/not-me/:selector/:verifier")
      expect(lines.join("")).toContain("/account/email/undo/:selector/:verifier")
      expect(leaks(lines.join(""))).toEqual([])
    })
  )
})
