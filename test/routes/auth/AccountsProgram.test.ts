// A client that a foreign generator makes of the document does everything that accounts offer, against a real server.
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Runtime, Schema, TestClock } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import * as AccountDeletion from "../../../routes/auth/AccountDeletion.ts"
import * as AccountsApi from "../../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as LostFactors from "../../../routes/auth/LostFactors.ts"
import * as ScopeAuthentication from "../../../routes/auth/ScopeAuthentication.ts"
import * as ApiDocs from "../../../routes/server/ApiDocs.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { DueLostFactorRequests } from "../../../src/auth/internal/AccountWorkers.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import type { CreationOptions } from "../../../src/auth/internal/passkeys/PasskeyOptions.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Scopes } from "../../support/AccountsApp.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as GeneratedClient from "../../support/GeneratedClient.ts"
import { SoftAuthenticator } from "../../support/SoftAuthenticator.ts"
import { program } from "./AccountsProgram.ts"

const notes = HttpApiGroup.make("notes")
  .add(
    HttpApiEndpoint.get("list", "/notes")
      .addSuccess(Schema.Array(Schema.String))
      .middleware(ScopeAuthentication.requires(Scopes, "notes:read"))
  )
  .add(
    HttpApiEndpoint.del("clear", "/notes")
      .addSuccess(Schema.Struct({ message: Schema.String }))
      .middleware(ScopeAuthentication.requires(Scopes, "notes:write"))
  )

const Api = HttpApi.make("shop").add(AccountsApi.group).add(notes).prefix("/api")

const noteHandlers = ApiHandlers.group(Api, "notes", (handlers) =>
  handlers
    .handle("list", () => Effect.map(CurrentIdentity, ({ email }) => [`a note of ${email}`]))
    .handle("clear", () => Effect.succeed({ message: "Cleared." }))
)

const handlers = ApiHandlers.layer(Api).pipe(
  Layer.provide(Layer.merge(AccountsApi.layer(Api), noteHandlers)),
  Layer.provide(Layer.merge(ApiAuthentication.layer, ScopeAuthentication.layer(Scopes)))
)

const app = Pipeline.app([
  ...Pipeline.pages(AuthRoutes.routes),
  ...Pipeline.stateless(ApiDocs.routes([Api])),
  ...Pipeline.api(Api)
])

const delay = Duration.hours(1)

const server = TestApp.layerOf(app, {
  environment: "production",
  settings: { factorRecoveryDelay: delay },
  services: Layer.mergeAll(handlers, Scopes.layer, Layer.merge(AccountDeletion.layer, LostFactors.layer))
})

/** What the program asks of the test: a link of an e-mail, a code, a passkey, or time. */
type Question =
  | { readonly link: string; readonly to: string }
  | { readonly code: string }
  | { readonly passkey: CreationOptions }
  | { readonly wait: number }
  | { readonly recover: true }

const answer = Effect.fnUntraced(function* (question: Question) {
  if ("code" in question) return yield* FactorApp.codeOf(question.code)
  if ("passkey" in question) return new SoftAuthenticator(TestApp.appUrl).create(question.passkey)
  if ("link" in question) {
    const messages = yield* Effect.flatMap(CapturedMail, (mail) => mail.messagesTo(question.to))
    const link = new RegExp(`${question.link}([0-9a-f]{16}/\\S+)`)
    return messages.flatMap(({ text: body }) => link.exec(body)?.[1] ?? []).at(-1) ?? ""
  }
  yield* TestClock.adjust("wait" in question ? Duration.seconds(question.wait) : delay)
  if ("recover" in question) yield* Effect.flatMap(DueLostFactorRequests, ({ sweep }) => sweep)
  return ""
})

/** Answers the program over HTTP; gives its address. */
const helper = Effect.gen(function* () {
  const run = Runtime.runPromise(yield* Effect.runtime<CapturedMail | DueLostFactorRequests>())
  const listening = createServer((request, response) => {
    text(request)
      .then((body) => run(answer(JSON.parse(body) as Question)))
      .then(
        (given) => response.end(given),
        (error: unknown) => response.writeHead(500).end(String(error))
      )
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void listening.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => void listening.close())
  )
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
})

layer(server)("A generated client of accounts", (it) => {
  it.scoped("compiles, and does everything that a person can do", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const document = (yield* (yield* TestApp.guest).request("/openapi.json")).body
      const { printed, refused } = yield* GeneratedClient.compileAndRun(document, program, [url, yield* helper])
      expect(refused).toBe("")
      expect(printed).toMatch(/^done 1\d\d\n$/)
    })
  )
})
