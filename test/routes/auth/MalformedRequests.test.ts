// Requests that no page of ours makes, on every route: each gets its response, and none causes an exception.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { CapturedExceptions } from "../../../testing/CapturedExceptions.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Raw from "../../support/Raw.ts"
import * as Visitor from "../../support/Visitor.ts"

const link = `${"0".repeat(16)}/${"0".repeat(64)}`
const pages = ["/", "/register", "/login", "/forgot", "/password", "/account", "/csrf"]
const links = [`/verify/${link}`, `/reset/${link}`]
const forms = ["/register", "/login", "/logout", "/forgot", "/password", "/verify", `/reset/${link}`]
const own = ["/account/sessions", "/account/devices", "/account/others"]

const portOf = (url: string): number => Number(new URL(url).port)
const statusOf = (response: string): number => Number(response.split(" ")[1])
const cookies = (visitor: Visitor.Visitor): string =>
  Array.from(visitor.jar, ([name, value]) => `${name}=${value}`).join("; ")

const urlencoded = "application/x-www-form-urlencoded"

const nothingReported = Effect.gen(function* () {
  const { reported } = yield* CapturedExceptions
  expect((yield* reported).map(({ message }) => message)).toEqual([])
})

describeDatabases("A hostile request", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("gets 405 for another method, 204 for OPTIONS, and no body for HEAD", () =>
      Effect.gen(function* () {
        const { url } = yield* AuthApp.AuthApp
        const send = (method: string, path: string) =>
          Raw.exchange(portOf(url), Raw.request(`${method} ${path} HTTP/1.1`, ["Content-Length: 0"]))
        for (const path of new Set([...pages, ...links, ...forms, ...own])) {
          for (const method of ["PUT", "DELETE", "PATCH"]) {
            const response = yield* send(method, path)
            expect(statusOf(response), `${method} ${path}`).toBe(405)
            expect(response, path).toMatch(/\r\nallow: /i)
          }
          expect(statusOf(yield* send("OPTIONS", path)), path).toBe(204)
          const head = yield* send("HEAD", path)
          expect([200, 303, 405], path).toContain(statusOf(head))
          expect(head.split("\r\n\r\n")[1], path).toBe("")
        }
        for (const path of own) expect(statusOf(yield* send("GET", path)), path).toBe(405)
        for (const path of ["/", "/account", "/csrf"]) expect(statusOf(yield* send("POST", path)), path).toBe(405)
        yield* nothingReported
      })
    )

    it.effect("gets a refusal for a body of the wrong shape, on every form", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor: member } = yield* AuthApp.register()
        const values = [[], [[]], { $ne: "" }, null, true, 7, 1e308, "\0", "\ud800", "x".repeat(100_000), "__proto__"]
        const names = ["email", "password", "password_confirmation", "current", "remember", "handle", "selector"]
        const targets = [...forms.filter((path) => path !== "/logout"), "/account/sessions", "/account/devices"]
        for (const path of targets) {
          for (const value of values) {
            const visitor = path.startsWith("/account") ? member : Visitor.make(app.url)
            const body = Object.fromEntries(names.map((name) => [name, value]))
            const { status } = yield* visitor.json("POST", path, body)
            expect([200, 303, 401, 410, 422, 429], `${path} ${JSON.stringify(value)?.slice(0, 40)}`).toContain(status)
          }
        }
        // The session has outlived all of it.
        expect((yield* member.get("/account")).text).toContain(person.email)
        yield* nothingReported
      })
    )

    it.effect("gets 403 for a token that is empty, repeated or nested, whatever else is sent", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        const token = Visitor.tokenOf((yield* visitor.get("/login")).body) ?? ""
        const send = (body: string, headers: Readonly<Record<string, string>> = {}) =>
          Effect.map(
            visitor.request("/forgot", { method: "POST", body, headers: { "content-type": urlencoded, ...headers } }),
            ({ status }) => status
          )
        const field = `_token=${encodeURIComponent(token)}`
        const many = Array.from({ length: 10_000 }, (_, index) => `f${index}=1`).join("&")
        const email = "email=a%40example.com"
        expect(yield* send(`${email}&_token=`)).toBe(403)
        expect(yield* send(email, { "x-csrf-token": "" })).toBe(403)
        expect(yield* send(`${field}&${field}&${email}`)).toBe(403)
        expect(yield* send(`${many}&${field}&${email}`)).toBe(403)
        expect(yield* send(`_token[]=${token}&${email}`)).toBe(403)
        // The header speaks for the request: a good field does not heal it.
        expect(yield* send(`${field}&${email}`, { "x-csrf-token": "" })).toBe(403)
        expect(yield* send(`${field}&${email}&${many}`)).toBe(303)
        yield* nothingReported
      })
    )

    it.effect("gets 403 from any other origin, whichever header names it", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        const token = Visitor.tokenOf((yield* visitor.get("/login")).body) ?? ""
        const body = new URLSearchParams({ _token: token, email: "b@example.com" }).toString()
        const send = (lines: ReadonlyArray<string>) =>
          Effect.map(
            Raw.exchange(
              portOf(app.url),
              Raw.request(
                "POST /forgot HTTP/1.1",
                [
                  ...lines,
                  `Cookie: ${cookies(visitor)}`,
                  `Content-Type: ${urlencoded}`,
                  `Content-Length: ${body.length}`
                ],
                body
              )
            ),
            statusOf
          )
        const foreign = [
          ["Origin: null"],
          ["Origin: "],
          ["Origin: https://app.example, https://evil.example"],
          ["Origin: https://app.example.evil.example"],
          ["Origin: https://localhost@evil.example"],
          ["Origin: http://x-\u00dc\u008c"],
          ["Origin: https://app.example:8443"],
          ["Sec-Fetch-Site: cross-site"],
          ["Sec-Fetch-Site: CROSS-SITE", "Origin: https://app.example"]
        ]
        for (const lines of foreign) expect(yield* send(lines), lines.join()).toBe(403)
        for (const lines of [["Origin: https://app.example"], ["Origin: http://localhost"], ["Sec-Fetch-Site: none"]]) {
          expect([303, 429], lines.join()).toContain(yield* send(lines))
        }
        yield* nothingReported
      })
    )

    it.effect("has no identity by a cookie that is malformed, repeated or partly another user's", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { visitor } = yield* AuthApp.register()
        const session = visitor.jar.get("session") ?? ""
        const ask = (cookie: string) =>
          Effect.map(
            Raw.exchange(portOf(app.url), Raw.request("GET /account HTTP/1.1", [`Cookie: ${cookie}`])),
            statusOf
          )
        expect(yield* ask(`session=${session}`)).toBe(200)
        const values = [
          "",
          "=",
          "%00",
          "g.1.e30.x",
          `${session}x`,
          session.slice(1),
          session.toUpperCase(),
          `"${session}"`,
          ` ${session.slice(0, 20)} ${session.slice(20)}`,
          "A".repeat(43),
          "\u00ff".repeat(43),
          "a.b.c.d",
          ".".repeat(4000),
          "9".repeat(8000)
        ]
        for (const value of values) {
          expect(yield* ask(`session=${value}`), value.slice(0, 50)).toBe(303)
          expect(yield* ask(`remember=${value}`), value.slice(0, 50)).toBe(303)
        }
        // A neighbouring host may plant a second one, before or after ours: neither is trusted.
        expect(yield* ask(`session=${session}; session=${"A".repeat(43)}`)).toBe(303)
        expect(yield* ask(`session=${"A".repeat(43)}; session=${session}`)).toBe(303)
        expect(yield* ask(`session=${session}; session=${session}`)).toBe(200)
        yield* nothingReported
      })
    )

    it.effect("redirects only to a path of this site, in any spelling", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const targets = [
          "/account?next=//evil.example",
          "/account?%0d%0aSet-Cookie:x=1",
          "/account?a=%5c%5cevil.example",
          "/account?#frag",
          `/account?${"a".repeat(3000)}`
        ]
        for (const target of targets) {
          const visitor = Visitor.make(app.url)
          const asked = yield* Raw.exchange(portOf(app.url), Raw.request(`GET ${target} HTTP/1.1`))
          expect(asked, target).not.toMatch(/\r\nset-cookie: x=/i)
          const kept = /set-cookie: session=([^;]+)/i.exec(asked)?.[1]
          if (kept !== undefined) visitor.jar.set("session", kept)
          yield* visitor.get("/login")
          const { location = "" } = yield* visitor.submit("/login", { ...person })
          expect(new URL(location, "https://app.example").origin, target).toBe("https://app.example")
          expect(location, target).toMatch(/^\/account/)
        }
        yield* nothingReported
      })
    )

    it.effect("keeps passwords distinct: unpaired surrogates, invalid bytes and NUL", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register({ email: "nul@example.com", password: "quiet harbour \ufffd" })
        const visitor = Visitor.make(app.url)
        const { email } = person
        for (const half of ["\ud800", "\udfff"]) {
          const given = yield* visitor.json("POST", "/login", { email, password: `quiet harbour ${half}` })
          expect([given.status, given.json]).toEqual([
            422,
            expect.objectContaining({ fields: { password: "Use whole characters." } })
          ])
          const chosen = { email: "half@example.com", password: `quiet harbour ${half}` }
          expect((yield* visitor.json("POST", "/register", chosen)).status).toBe(422)
        }
        const token = Visitor.tokenOf((yield* visitor.get("/login")).body) ?? ""
        const body = `email=${encodeURIComponent(email)}&password=quiet+harbour+%FF`
        const headers = { "content-type": urlencoded, "x-csrf-token": token }
        expect((yield* visitor.request("/login", { method: "POST", body, headers })).status).toBe(400)
        expect((yield* visitor.json("POST", "/login", { email, password: "quiet harbour \ufffd\0" })).status).toBe(401)
        expect((yield* visitor.json("POST", "/login", { ...person })).status).toBe(200)
        yield* nothingReported
      })
    )

    it.effect("gets the same password rules on every form that sets one", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const faults = [
          ["\u{1f98a}".repeat(7), "Use at least 8 characters."],
          ["\u00e9".repeat(513), "Use at most 1024 bytes."],
          ["passw0rd", "This password is one of the most common. Choose another."],
          ["quiet harbour \udc00", "Use whole characters."],
          ["RULES@example\u3002com", "Use something other than your e-mail address."]
        ] as const
        const email = "rules@example.com"
        for (const [password, fault] of faults) {
          const made = yield* Visitor.make(app.url).json("POST", "/register", { email, password })
          expect([made.status, made.json], fault).toMatchObject([422, { fields: { password: fault } }])
        }
        const { person, visitor } = yield* AuthApp.register({ email, password: "quiet harbour" })
        const recovery = yield* AuthApp.recoveryLink(email)
        for (const [password, fault] of faults) {
          const change = { current: person.password, password }
          const changed = yield* visitor.json("POST", "/password", change)
          expect([changed.status, changed.json], fault).toMatchObject([422, { fields: { password: fault } }])
          const reset = yield* Visitor.make(app.url).json("POST", recovery, { password })
          expect([reset.status, reset.json], fault).toMatchObject([422, { fields: { password: fault } }])
        }
        yield* nothingReported
      })
    )
  })
})
