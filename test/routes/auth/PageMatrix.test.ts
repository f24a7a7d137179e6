// Who may open what: every page and form of accounts by every kind of caller, over real sockets. A new route fails here until it
// has a row.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import type { TestClient, TestResponse } from "../../../testing/TestClient.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as Callers from "../../support/Callers.ts"
import { layer as server } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"

const honest = (client: TestClient, method: string, path: string) =>
  method === "GET" ? client.get(path) : client.submit(path, {})

/** Sends the cookies without the token of the browser, as the form of another site does. */
const forged = (client: TestClient, method: string, path: string) =>
  method === "GET" ? client.get(path) : client.request(path, { method, headers: { accept: "text/html" }, form: {} })

const callers = [
  // A guest, and a guest with a bearer or an API token, which pages do not read.
  { caller: TestApp.guest, send: honest },
  { caller: TestApp.bearerUser(), send: honest },
  { caller: Callers.program, send: honest },
  // A browser that is signed in, another site that sends its cookies, and one whose confirmation is old.
  { caller: TestApp.signedInUser(), send: honest },
  { caller: TestApp.signedInUser(), send: forged },
  { caller: Effect.zipLeft(TestApp.signedInUser(), Callers.later), send: honest },
  // The cookie of a trusted device alone, and a session that has ended.
  { caller: Callers.device, send: honest },
  { caller: Callers.ended, send: honest },
  // A browser whose sign-in waits for its second factor.
  { caller: Callers.pending, send: honest }
]

/** The columns are the callers above. */
const rows: Readonly<Record<string, { readonly row: string; readonly routes: ReadonlyArray<string> }>> = {
  "open to everyone": {
    row: "passes, passes, passes, passes, passes, passes, passes, passes, passes",
    routes: [
      "GET /forgot",
      "GET /reset/:selector/:verifier",
      "GET /not-me/:selector/:verifier",
      "GET /login/passkey.js",
      "GET /csrf",
      "GET /login/with/:provider/callback"
    ]
  },
  "forms for everyone, by the token of the browser": {
    row: "passes, passes, passes, passes, forged, passes, passes, passes, passes",
    routes: [
      "POST /register",
      "POST /login",
      "POST /login/factor",
      "POST /forgot",
      "POST /reset/:selector/:verifier",
      "POST /not-me/:selector/:verifier",
      "POST /login/passkey/options",
      "POST /login/passkey",
      "POST /login/factor/passkey/options",
      "POST /login/with/:provider"
    ]
  },
  "for guests: who is signed in is sent to the account": {
    row: "passes, passes, passes, account, account, account, account, passes, passes",
    routes: ["GET /register", "GET /login"]
  },
  "pages of people who are signed in": {
    row: "sign in, sign in, sign in, passes, passes, passes, passes, sign in, factor",
    routes: ["GET /password", "GET /confirm", "GET /account", "GET /account/tokens", "GET /account/activity"]
  },
  "forms of people who are signed in": {
    row: "sign in, sign in, sign in, passes, forged, passes, passes, sign in, factor",
    routes: [
      "POST /verify",
      "POST /password",
      "POST /confirm",
      "POST /account/email/:selector/:verifier",
      "POST /account/delete/cancel",
      "POST /account/sessions",
      "POST /account/devices",
      "POST /account/others",
      "POST /account/tokens",
      "POST /account/tokens/revoke",
      "POST /confirm/passkey/options",
      "POST /confirm/passkey",
      "POST /confirm/with/:provider"
    ]
  },
  "pages after a recent confirmation": {
    row: "sign in, sign in, sign in, passes, passes, confirm, confirm, sign in, factor",
    routes: [
      "GET /password/remove",
      "GET /account/tokens/new",
      "GET /account/email",
      "GET /account/delete",
      "GET /account/export",
      "GET /account/factors",
      "GET /account/factors/new",
      "GET /account/passkeys",
      "GET /account/identities"
    ]
  },
  "forms after a recent confirmation": {
    row: "sign in, sign in, sign in, passes, forged, confirm, confirm, sign in, factor",
    routes: [
      "POST /password/remove",
      "POST /account/email",
      "POST /account/email/cancel",
      "POST /account/factors",
      "POST /account/factors/remove",
      "POST /account/factors/recovery-codes",
      "POST /account/factors/every-device",
      "POST /account/passkeys",
      "POST /account/passkeys/options",
      "POST /account/passkeys/rename",
      "POST /account/passkeys/remove",
      "POST /account/identities/link/:provider",
      "POST /account/identities/remove"
    ]
  },
  "the request to delete the account, which signs out": {
    row: "sign in, sign in, sign in, sign in, forged, confirm, confirm, sign in, factor",
    routes: ["POST /account/delete"]
  },
  "links that prove an address: this one is of nobody": {
    row: "sign in, sign in, sign in, account, account, account, account, sign in, factor",
    routes: ["GET /verify/:selector/:verifier", "GET /account/email/:selector/:verifier"]
  },
  "the second step of a sign-in, which only the last one has begun": {
    row: "sign in, sign in, sign in, account, account, account, sign in, sign in, passes",
    routes: ["GET /login/factor"]
  },
  "steps before a sign-in, with a link or a pending sign-in that is of nobody": {
    row: "sign in, sign in, sign in, sign in, sign in, sign in, sign in, sign in, sign in",
    routes: [
      "GET /login/factor/recovery/cancel/:selector/:verifier",
      "GET /login/factor/recovery/:selector/:verifier",
      "GET /account/email/undo/:selector/:verifier",
      "GET /login/passkey",
      "GET /login/with/:provider/complete"
    ]
  },
  "forms after which, or without whose link, everyone is a guest": {
    row: "sign in, sign in, sign in, sign in, forged, sign in, sign in, sign in, sign in",
    routes: [
      "POST /login/factor/recovery/cancel/:selector/:verifier",
      "POST /login/factor/recovery/:selector/:verifier",
      "POST /logout",
      "POST /account/email/undo/:selector/:verifier",
      "POST /login/with/:provider/complete"
    ]
  },
  "the recovery of lost factors, which needs a pending sign-in": {
    row: "sign in, sign in, sign in, sign in, sign in, sign in, sign in, sign in, passes",
    routes: ["GET /login/factor/recovery"]
  },
  "the forms of the second step": {
    row: "sign in, sign in, sign in, sign in, forged, sign in, sign in, sign in, passes",
    routes: ["POST /login/factor/recovery", "POST /login/factor/passkey"]
  },
  "the form that ends every session, this one included": {
    row: "sign in, sign in, sign in, sign in, forged, sign in, sign in, sign in, factor",
    routes: ["POST /account/everywhere"]
  },
  "the address of the form of a passkey that is opened: back to the second step": {
    row: "factor, factor, factor, factor, factor, factor, factor, factor, factor",
    routes: ["GET /login/factor/passkey"]
  },
  "the address of a form that is opened: back to the page of the form": {
    row: "confirm, confirm, confirm, confirm, confirm, confirm, confirm, confirm, confirm",
    routes: ["GET /confirm/passkey"]
  }
}

const expected = new Map(Object.values(rows).flatMap(({ routes, row }) => routes.map((name) => [name, row] as const)))

const verdictOf = (method: string, { body, location, status }: TestResponse): string => {
  if (status === 403 && body.includes("Invalid CSRF token")) return "forged"
  if (status !== 303) return "passes"
  if (location === "/login") return "sign in"
  if (location === "/login/factor") return "factor"
  if (location === "/confirm") return "confirm"
  return method === "GET" && location === "/account" ? "account" : "passes"
}

describeDatabases("The pages of accounts", (database) => {
  layer(server(database))((it) => {
    for (const { method, path } of AuthRoutes.routes) {
      const name = `${method} ${path}`
      it.effect(name, () =>
        Effect.gen(function* () {
          const row: Array<string> = []
          for (const { caller, send } of callers) {
            const response = yield* send(yield* caller, method, path.replace(/:\w+/g, "x"))
            expect(response.status).toBeLessThan(500)
            row.push(verdictOf(method, response))
          }
          expect(row.join(", ")).toBe(expected.get(name))
        })
      )
    }
  })
})
