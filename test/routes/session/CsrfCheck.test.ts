import { signIn } from "../../../src/session/internal/SessionGrants.ts"
import { HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as CsrfCheck from "../../../routes/session/CsrfCheck.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { Browser, enroll, signedIn, stores } from "../../layers/auth/Stores.ts"
import { send, type RequestParts } from "../auth/PipelineRequest.ts"

const form = Effect.map(CsrfCheck.token, (token) => HttpServerResponse.text(token))
const done = Effect.succeed(HttpServerResponse.text("done"))

const tokenOf = (browser: Browser) => Effect.map(send(form, { browser }), ({ body }) => body)

const rows = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql`SELECT key FROM sessions`, ({ length }) => length)
)

describeDatabases("CsrfCheck", (database) => {
  layer(stores(database, { appUrl: "https://app.example.com" }))((it) => {
    it.effect("lets a POST with the field through, for guests and members", () =>
      Effect.gen(function* () {
        for (const browser of [new Browser(), yield* signedIn(yield* enroll)]) {
          const token = yield* tokenOf(browser)
          expect((yield* send(done, { browser, form: { _token: token } })).status).toBe(200)
          expect((yield* send(done, { browser, json: { _token: token } })).status).toBe(200)
        }
      })
    )

    it.effect("accepts the header in place of the field, with any body or none", () =>
      Effect.gen(function* () {
        const browser = new Browser()
        const headers = { "x-csrf-token": yield* tokenOf(browser) }
        const bodies: ReadonlyArray<RequestParts> = [{ method: "POST" }, { form: { a: "b" } }, { json: { a: 1 } }]
        for (const parts of bodies) expect((yield* send(done, { ...parts, browser, headers })).status).toBe(200)
      })
    )

    it.effect("refuses a POST without a token, with a foreign one or a broken one", () =>
      Effect.gen(function* () {
        const browser = new Browser()
        const own = yield* tokenOf(browser)
        const foreign = yield* tokenOf(new Browser())
        const attempts: ReadonlyArray<RequestParts> = [
          { method: "POST" },
          { form: {} },
          { json: {} },
          { form: { _token: "" } },
          { form: { _token: foreign } },
          { form: { _token: `${own}x` } },
          { form: { _token: own.toLowerCase() } },
          { form: `_token=${foreign}&_token=${own}` },
          { form: `_token=${own}&_token=${foreign}` },
          { json: { _token: [own] } },
          { form: { _token: own }, headers: { "x-csrf-token": "" } },
          { method: "PUT" },
          { method: "DELETE" }
        ]
        for (const parts of attempts) {
          const response = yield* send(done, { ...parts, browser })
          expect(response.status, JSON.stringify(parts)).toBe(403)
          expect(response.body).toContain("Invalid CSRF token")
        }
      })
    )

    it.effect("refuses the token of a guest from a browser without its cookie", () =>
      Effect.gen(function* () {
        const token = yield* tokenOf(new Browser())
        expect((yield* send(done, { form: { _token: token } })).status).toBe(403)
      })
    )

    it.effect("masks the token anew on every render, and takes each of them", () =>
      Effect.gen(function* () {
        const browser = new Browser()
        const tokens = yield* Effect.replicateEffect(tokenOf(browser), 5)
        expect(new Set(tokens).size).toBe(5)
        for (const token of tokens) expect((yield* send(done, { browser, form: { _token: token } })).status).toBe(200)
      })
    )

    it.effect("takes no token from before the session was regenerated or signed in", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = new Browser()
        for (const change of ["regenerate", "sign in", "regenerate again"]) {
          const token = yield* tokenOf(browser)
          yield* browser.visit((session) => (change === "sign in" ? session[signIn](identity) : session.regenerate))
          expect((yield* send(done, { browser, form: { _token: token } })).status, change).toBe(403)
        }
      })
    )

    const sources: ReadonlyArray<readonly [Readonly<Record<string, string>>, number]> = [
      [{}, 200],
      [{ "sec-fetch-site": "same-origin", origin: "https://app.example.com" }, 200],
      [{ origin: "http://localhost:8087" }, 200],
      [{ "sec-fetch-site": "cross-site" }, 403],
      [{ "sec-fetch-site": "cross-site", origin: "https://app.example.com" }, 403],
      [{ origin: "https://evil.example" }, 403],
      [{ "sec-fetch-site": "same-site", origin: "https://evil.example.com" }, 403],
      [{ origin: "null" }, 403]
    ]
    for (const [headers, status] of sources) {
      it.effect(`responds with ${status} to a valid token with ${JSON.stringify(headers)}`, () =>
        Effect.gen(function* () {
          const browser = new Browser()
          const response = yield* send(done, { browser, headers, form: { _token: yield* tokenOf(browser) } })
          expect(response.status).toBe(status)
        })
      )
    }

    it.effect("refuses content types that a form of any site can send", () =>
      Effect.gen(function* () {
        const browser = new Browser()
        const token = yield* tokenOf(browser)
        for (const type of ["text/plain", "multipart/form-data; boundary=x", "application/xml", "", "json"]) {
          const headers = { "content-type": type, "x-csrf-token": token }
          expect((yield* send(done, { browser, headers, form: "a=b" })).status, type).toBe(415)
        }
        for (const type of ["application/x-www-form-urlencoded; charset=utf-8", "Application/JSON"]) {
          const headers = { "content-type": type, "x-csrf-token": token }
          expect((yield* send(done, { browser, headers, form: "a=b" })).status, type).toBe(200)
        }
      })
    )

    it.effect("refuses by origin before it looks at the token or the body", () =>
      Effect.gen(function* () {
        const headers = { origin: "https://evil.example", "content-type": "text/plain" }
        expect((yield* send(done, { headers, form: "x" })).status).toBe(403)
      })
    )

    it.effect("lets GET and HEAD through without a token", () =>
      Effect.gen(function* () {
        for (const method of ["GET", "HEAD"] as const) {
          const response = yield* send(done, { method, headers: { "sec-fetch-site": "cross-site" } })
          expect(response).toMatchObject({ status: 200, lines: [] })
        }
      })
    )

    it.effect("costs a guest no row: neither the form, nor the token, nor a refused POST", () =>
      Effect.gen(function* () {
        const before = yield* rows
        const browser = new Browser()
        const token = yield* tokenOf(browser)
        yield* send(done, { browser, form: { _token: token } })
        yield* send(done, { browser, form: {} })
        yield* send(done, { form: { _token: token } })
        expect(yield* rows).toBe(before)
      })
    )
  })
})
