// Who may call what: every endpoint of the API of accounts by every kind of caller, over real sockets. A new endpoint fails
// here until it has a row.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as OpenApiDocument from "../../../routes/server/internal/OpenApiDocument.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import type { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import type { Factors } from "../../../src/auth/Factors.ts"
import type { Users } from "../../../src/auth/Users.ts"
import type { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as ApiDocument from "../../../src/server/internal/ApiDocument.ts"
import type { Sessions } from "../../../src/session/Session.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import * as Callers from "../../support/Callers.ts"
import { Api, layer as server } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"

type Needs = ApiTokens | AuthConfig | Factors | ServerAddress | Sessions | Users

const document = JSON.parse(JSON.stringify(OpenApiDocument.make([Api]))) as ApiDocument.ApiDocument

/** Sends the request as it is, without the token of a browser. */
const forged = (client: TestClient, method: string, path: string) =>
  client.request(path, { method, headers: { accept: "application/json" }, ...(method !== "GET" && { json: {} }) })

const honest = (client: TestClient, method: string, path: string) =>
  client.json(method, path, method === "GET" ? undefined : {})

interface Caller {
  readonly caller: Effect.Effect<TestClient, unknown, Needs>
  readonly send: typeof honest
}

const callers: ReadonlyArray<Caller> = [
  // A guest.
  { caller: TestApp.guest, send: honest },
  // A browser that is signed in, another site that sends its cookies, and one whose confirmation is old.
  { caller: TestApp.signedInUser(), send: honest },
  { caller: TestApp.signedInUser(), send: forged },
  { caller: Effect.zipLeft(TestApp.signedInUser(), Callers.later), send: honest },
  // A bearer, and one whose confirmation is old.
  { caller: TestApp.bearerUser(), send: forged },
  { caller: Effect.zipLeft(TestApp.bearerUser(), Callers.later), send: forged },
  // The cookie of a trusted device alone, an API token with every scope, and a session that has ended.
  { caller: Callers.device, send: honest },
  { caller: Callers.program, send: forged },
  { caller: Callers.ended, send: honest },
  // A browser whose sign-in waits for its second factor.
  { caller: Callers.pending, send: honest }
]

/** The columns are the callers above. */
const rows: Readonly<Record<string, { readonly row: string; readonly endpoints: string }>> = {
  "open to everyone, without cookies": {
    row: "passes, passes, passes, passes, passes, passes, passes, passes, passes, passes",
    endpoints:
      "beginProviderBearer cancelFactorRecovery csrf factorRecovery factorRecoveryBearer providers " +
      "requestFactorRecoveryBearer signInBearer signInFactorBearer signInFactorOptionsBearer signInFactorPasskeyBearer " +
      "signInPasskeyBearer signInPasskeyOptionsBearer signInProviderBearer signUpBearer signUpProviderBearer"
  },
  "open to everyone, with cookies only by the token of the browser": {
    row: "passes, passes, forged, passes, passes, passes, passes, passes, passes, passes",
    endpoints: "completeFactorRecovery forgotPassword resetPassword undoEmailChange"
  },
  "open to browsers, by their token": {
    row: "passes, passes, forged, passes, forged, forged, passes, forged, passes, passes",
    endpoints:
      "beginProvider requestFactorRecovery signIn signInFactor signInFactorOptions signInFactorPasskey signInPasskey " +
      "signInPasskeyOptions signInProvider signUp signUpProvider"
  },
  "reads of people who are signed in": {
    row: "sign in, passes, passes, passes, passes, passes, passes, sign in, sign in, sign in",
    endpoints: "activity devices me sessions signInMethods tokens"
  },
  "changes by people who are signed in": {
    row: "sign in, passes, forged, passes, passes, passes, passes, sign in, sign in, sign in",
    endpoints:
      "beginConfirmation cancelDeletion changePassword confirm confirmPasskey confirmPasskeyOptions confirmProvider createToken endOthers endSession " +
      "forgetDevice redeemEmailChange resendVerification revokeToken signOutEverywhere verify"
  },
  "the end of a session, which a trusted device has none of": {
    row: "sign in, passes, forged, passes, passes, passes, sign in, sign in, sign in, sign in",
    endpoints: "signOut"
  },
  "reads after a recent confirmation": {
    row: "sign in, passes, passes, confirm, passes, confirm, confirm, sign in, sign in, sign in",
    endpoints: "deletion email exported factors identities passkeys"
  },
  "changes after a recent confirmation": {
    row: "sign in, passes, forged, confirm, passes, confirm, confirm, sign in, sign in, sign in",
    endpoints:
      "addApp addIdentity addPasskey askOnEveryDevice beginApp beginIdentity cancelEmailChange changeEmail passkeyOptions removeApp removeIdentity " +
      "removePasskey removePassword renamePasskey renewRecoveryCodes requestDeletion setPassword"
  }
}

const expected = new Map(
  Object.values(rows).flatMap(({ endpoints, row }) => endpoints.split(" ").map((name) => [name, row] as const))
)

const verdicts: Readonly<Record<string, string>> = {
  Unauthenticated: "sign in",
  CsrfMismatch: "forged",
  ConfirmationRequired: "confirm"
}

const verdictOf = (json: unknown): string => {
  const tag = typeof json === "object" && json !== null && "_tag" in json ? String(json._tag) : ""
  return verdicts[tag] ?? "passes"
}

const lists = ["sessions", "devices", "tokens", "passkeys", "factors", "identities"]

/** For an endpoint whose path names something of an account: the list that has it, and the payload. */
const objects: Readonly<Record<string, { readonly from: string; readonly json?: object }>> = {
  endSession: { from: "sessions" },
  forgetDevice: { from: "devices" },
  revokeToken: { from: "tokens" },
  renamePasskey: { from: "passkeys", json: { name: "Mine" } },
  removePasskey: { from: "passkeys" },
  removeApp: { from: "factors" },
  removeIdentity: { from: "identities" }
}

/** Someone who has one of everything. */
const owning = Effect.gen(function* () {
  const { browser: owner } = yield* PasskeyUser.make
  const { email, id, password } = owner.user
  yield* (yield* TestApp.guest).json("POST", "/login", { email, password, remember: "1" })
  yield* Effect.flatMap(ApiTokens, ({ create }) => create(id, { name: "Backup", scopes: ["notes:read"] }))
  const identities = yield* LinkedIdentities
  yield* identities.link(id, { issuer: "https://idp.example", subject: id, provider: "test", label: email })
  yield* FactorApp.enrol(owner.user)
  // Seen now: the time of it does not change any more.
  yield* owner.get("/account")
  return owner
})

/** What its owner sees of it. */
const owned = (owner: TestClient) =>
  Effect.map(
    Effect.forEach(lists, (name) => Effect.map(owner.json("GET", `/api/${name}`), ({ body }) => [name, body] as const)),
    (bodies): Readonly<Record<string, string>> => Object.fromEntries(bodies)
  )

describeDatabases("The API of accounts", (database) => {
  layer(server(database))((it) => {
    for (const { method, operation, path } of ApiDocument.endpoints(document)) {
      const name = String(operation.operationId).replace(/^accounts\./, "")
      it.effect(name, () =>
        Effect.gen(function* () {
          const row: Array<string> = []
          for (const { caller, send } of callers) {
            const client = yield* caller
            const { body, headers, status } = yield* send(client, method.toUpperCase(), path.replace(/\{\w+\}/g, "x"))
            expect(status, body).toBeLessThan(500)
            const isJson = (headers.get("content-type") ?? "").includes("json") && body !== ""
            row.push(verdictOf(isJson ? JSON.parse(body) : undefined))
          }
          expect(row.join(", ")).toBe(expected.get(name))
        })
      )
      if (!/\{(?!provider\})\w+\}/.test(path)) continue
      it.effect(`${name} leaves alone what is another account's, and says what it says of something unknown`, () =>
        Effect.gen(function* () {
          const owner = yield* owning
          const before = yield* owned(owner)
          const { from = "", json } = objects[name] ?? {}
          const [, handle = ""] = /"(?:handle|selector)":"([^"]+)"/.exec(before[from] ?? "") ?? []
          expect(handle).not.toBe("")
          const responses: Array<unknown> = []
          for (const named of [handle, "x"]) {
            const other = yield* TestApp.signedInUser()
            const at = path.replace(/\{\w+\}/, encodeURIComponent(named))
            const { body, status } = yield* other.json(method.toUpperCase(), at, json)
            responses.push([status, body])
          }
          expect(responses).toEqual([[200, expect.anything()], responses[0]])
          expect(yield* owned(owner)).toEqual(before)
        })
      )
    }
  })
})
