// Attacks against the composed routes.
import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases, sqlite } from "../../support/Databases.ts"
import * as Raw from "../../support/Raw.ts"
import * as Visitor from "../../support/Visitor.ts"

const portOf = (url: string): number => Number(new URL(url).port)

const cookies = (visitor: Visitor.Visitor): string =>
  Array.from(visitor.jar, ([name, value]) => `${name}=${value}`).join("; ")

const statusOf = (response: string): number => Number(response.split(" ")[1])

/** A form over a bare socket: with any target and any header. */
const post = (url: string, target: string, headers: ReadonlyArray<string>, form: Readonly<Record<string, string>>) => {
  const body = new URLSearchParams(form).toString()
  const type = "Content-Type: application/x-www-form-urlencoded"
  const lines = [...headers, type, `Content-Length: ${Buffer.byteLength(body)}`]
  return Raw.exchange(portOf(url), Raw.request(`POST ${target} HTTP/1.1`, lines, body))
}

describeDatabases("An attacker", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect.each(["//evil.example/account", "/\\evil.example", "/%5Cevil.example", "http://evil.example/account"])(
      "is led to no other site after a sign-in that began at %s",
      (target) =>
        Effect.gen(function* () {
          const app = yield* AuthApp.AuthApp
          const { person } = yield* AuthApp.register()
          const visitor = Visitor.make(app.url)
          const asked = yield* Raw.exchange(portOf(app.url), Raw.request(`GET ${target} HTTP/1.1`))
          expect(asked).not.toMatch(/set-cookie: session/i)
          yield* visitor.get("/login")
          const { location } = yield* visitor.submit("/login", { ...person, intended: target, next: target })
          expect(location).toBe("/account")
        })
    )

    it.effect("cannot write the target of a sign-in into a guest's cookie", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const visitor = Visitor.make(app.url)
        yield* visitor.get("/password")
        yield* visitor.get("/login")
        const [mark, key, payload = "", signature] = (visitor.jar.get("session") ?? "").split(".")
        const content = Buffer.from(payload, "base64url").toString()
        expect(content).toContain("/password")
        const forged = Buffer.from(content.replace("/password", "//evil.example")).toString("base64url")
        visitor.jar.set("session", [mark, key, forged, signature].join("."))
        expect((yield* visitor.submit("/login", { ...person })).status).toBe(403)
        yield* visitor.get("/login")
        expect((yield* visitor.submit("/login", { ...person })).location).toBe("/account")
      })
    )

    it.effect("puts no other host into a message", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person, visitor } = yield* AuthApp.register()
        const { body } = yield* visitor.get("/forgot")
        const body2 = new URLSearchParams({ _token: Visitor.tokenOf(body) ?? "", email: person.email }).toString()
        const poisoned = [
          "POST /forgot HTTP/1.1",
          "Host: evil.example",
          "X-Forwarded-Host: evil.example",
          "X-Forwarded-Proto: gopher",
          "Forwarded: host=evil.example",
          "Connection: close",
          `Cookie: ${cookies(visitor)}`,
          "Content-Type: application/x-www-form-urlencoded",
          `Content-Length: ${body2.length}`
        ].join("\r\n")
        const response = yield* Raw.exchange(portOf(app.url), `${poisoned}\r\n\r\n${body2}`)
        expect(statusOf(response)).toBe(303)
        expect(response).toMatch(/location: \/forgot\r/i)
        const letter = (yield* app.messagesTo(person.email))[1]
        expect(letter?.text).toContain("https://app.example/reset/")
        expect(`${letter?.text} ${letter?.html}`).not.toContain("evil")
      })
    )

    it.effect("cannot sign a victim in to the attacker's account", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const attacker = Visitor.make(app.url)
        const _token = Visitor.tokenOf((yield* attacker.get("/login")).body) ?? ""
        const victim = Visitor.make(app.url)
        yield* victim.get("/login")
        for (const form of [{ ...person }, { ...person, _token }]) {
          const response = yield* victim.request("/login", { form })
          expect(response.status).toBe(403)
          expect(response.body).toContain("Invalid CSRF token")
        }
        const own = Visitor.tokenOf((yield* victim.get("/login")).body) ?? ""
        for (const headers of [
          { origin: "https://evil.example" },
          { origin: "null" },
          { "sec-fetch-site": "cross-site" }
        ] as const) {
          const response = yield* victim.request("/login", {
            form: { ...person, _token: own },
            headers: { ...headers }
          })
          expect(response.status).toBe(403)
        }
        expect((yield* victim.get("/account")).location).toBe("/login")
      })
    )

    it.effect("changes no state by a form without its token, on any route", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* AuthApp.register()
        const recovery = yield* AuthApp.recoveryLink(person.email)
        const paths = ["register", "login", "logout", "verify", "forgot", "password"].map((name) => `/${name}`)
        const own = ["/account/sessions", "/account/devices", "/account/others", recovery]
        for (const path of [...paths, ...own]) {
          const response = yield* visitor.request(path, { form: { ...person, current: person.password } })
          expect(response.status, path).toBe(403)
          expect(response.headers.get("x-ratelimit-limit"), path).toBeNull()
          const accept = "application/json"
          const told = yield* visitor.request(path, { json: person, headers: { accept } })
          expect(JSON.parse(told.body), path).toEqual({ error: "Invalid CSRF token" })
        }
        expect((yield* visitor.get("/account")).status).toBe(200)
        expect((yield* visitor.json("GET", recovery)).status).toBe(200)
      })
    )

    it.effect("fixes no session: neither a known guest's cookie, nor an invented id", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const attacker = Visitor.make(app.url)
        yield* attacker.get("/login")
        for (const planted of [attacker.jar.get("session") ?? "", "A".repeat(43)]) {
          const victim = Visitor.make(app.url)
          victim.jar.set("session", planted)
          yield* victim.get("/login")
          expect((yield* victim.submit("/login", { ...person })).status).toBe(303)
          expect(victim.jar.get("session")).not.toBe(planted)
          const spy = Visitor.make(app.url)
          spy.jar.set("session", planted)
          expect((yield* spy.get("/account")).location).toBe("/login")
        }
      })
    )

    it.effect("cannot use a form's token from before the sign-in", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const visitor = Visitor.make(app.url)
        const before = Visitor.tokenOf((yield* visitor.get("/login")).body) ?? ""
        yield* visitor.submit("/login", { ...person })
        expect((yield* visitor.request("/logout", { form: { _token: before } })).status).toBe(403)
        expect((yield* visitor.get("/account")).status).toBe(200)
      })
    )

    it.effect("cannot forget a victim's device by a forged cookie at sign-out", () =>
      Effect.gen(function* () {
        const { person } = yield* AuthApp.register()
        const { visitor: victim } = yield* AuthApp.signIn(person, { remember: "1" })
        const [selector = ""] = (victim.jar.get("remember") ?? "").split(".")
        const { visitor: attacker } = yield* AuthApp.register()
        attacker.jar.set("remember", `${selector}.${"0".repeat(64)}`)
        yield* attacker.get("/password")
        expect((yield* attacker.submit("/logout", {})).status).toBe(303)
        victim.jar.delete("session")
        expect((yield* victim.get("/account")).status).toBe(200)
      })
    )

    it.effect("cannot use a secret for another purpose than its own", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const { visitor } = yield* AuthApp.signIn(person, { remember: "1" })
        const device = visitor.jar.get("remember") ?? ""
        const stranger = Visitor.make(app.url)
        expect((yield* visitor.json("GET", `/verify/${device.replace(".", "/")}`)).status).toBe(410)
        expect((yield* stranger.json("GET", `/reset/${device.replace(".", "/")}`)).status).toBe(410)
        const recovery = yield* AuthApp.recoveryLink(person.email)
        stranger.jar.set("remember", recovery.slice("/reset/".length).replace("/", "."))
        expect((yield* stranger.get("/account")).location).toBe("/login")
        stranger.jar.set("session", device)
        expect((yield* stranger.get("/account")).location).toBe("/login")
      })
    )

    it.effect("is counted as one client, whatever X-Forwarded-For claims", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        yield* visitor.get("/login")
        const form = { email: "nobody@example.com", password: "not this password" }
        const token = Visitor.tokenOf((yield* visitor.get("/login")).body) ?? ""
        const statuses: Array<number> = []
        for (let count = 0; count < 6; count++) {
          const headers = {
            "x-forwarded-for": `198.51.100.${count}, ${visitor.address}`,
            "x-real-ip": `198.51.100.${count}`,
            forwarded: `for=198.51.100.${count}`,
            "true-client-ip": `198.51.100.${count}`
          }
          statuses.push((yield* visitor.request("/login", { form: { ...form, _token: token }, headers })).status)
        }
        expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
      })
    )

    it.effect("is counted as one client within an IPv6 subscriber's /64", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const statuses: Array<number> = []
        for (let count = 0; count < 6; count++) {
          const visitor = Visitor.make(app.url, `2001:db8:1:2::${count}`)
          statuses.push((yield* visitor.json("POST", "/login", { email: "nobody@example.com", password: "x" })).status)
        }
        expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
      })
    )

    it.effect("finds no spelling of a path that is counted separately", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        const _token = Visitor.tokenOf((yield* visitor.get("/login")).body) ?? ""
        const form = { _token, email: "nobody@example.com", password: "not this password" }
        for (let count = 0; count < 5; count++) yield* visitor.request("/login", { form })
        const headers = [`Cookie: ${cookies(visitor)}`, `X-Forwarded-For: ${visitor.address}`]
        const spellings = [
          "/login?x=1",
          "/login?x=2",
          "/%6Cogin",
          "/login/",
          "//login",
          "/LOGIN",
          "/./login",
          "/login;x"
        ]
        for (const target of spellings) {
          expect([404, 405, 429], target).toContain(statusOf(yield* post(app.url, target, headers, form)))
        }
        expect(statusOf(yield* post(app.url, "/login?x=1", headers, form))).toBe(429)
      })
    )

    it.effect("cannot send a field twice", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { person } = yield* AuthApp.register()
        const visitor = Visitor.make(app.url)
        const token = encodeURIComponent(Visitor.tokenOf((yield* visitor.get("/login")).body) ?? "")
        const send = (body: string) =>
          visitor.request("/login", {
            method: "POST",
            body,
            headers: { "content-type": "application/x-www-form-urlencoded" }
          })
        const pairs = `email=${encodeURIComponent(person.email)}&password=${encodeURIComponent(person.password)}`
        const twice = yield* send(`_token=${token}&${pairs}&email=other%40example.com`)
        expect(twice.status).toBe(422)
        expect(twice.body).toContain("Send this field once.")
        expect((yield* send(`_token=${token}&${pairs}&password=other`)).status).toBe(422)
        expect((yield* send(`_token=${token}&_token=${token}&${pairs}`)).status).toBe(403)
        expect((yield* send(`_token=${token}&${pairs}`)).status).toBe(303)
      })
    )

    it.effect.each([
      ["a list", { email: ["a@example.com"], password: ["x"] }],
      ["an object", { email: { $ne: "" }, password: { $ne: "" } }],
      ["nothing", { email: null, password: null }],
      ["a truth", { email: true, password: true }],
      ["a prototype", JSON.parse('{"__proto__":{"email":"a@example.com","password":"x"}}')]
    ] as const)("gets 422 for %s in place of a text", ([, body]) =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        for (const path of ["/login", "/register"]) {
          expect((yield* visitor.json("POST", path, body)).status).toBe(422)
        }
      })
    )

    it.effect("gets a response, never an exception, for a malformed body", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        const token = Visitor.tokenOf((yield* visitor.get("/login")).body) ?? ""
        const send = (type: string, body: string) =>
          Effect.map(
            visitor.request("/login", {
              method: "POST",
              body,
              headers: { "content-type": type, "x-csrf-token": token }
            }),
            ({ status }) => status
          )
        expect(yield* send("application/json", "{")).toBe(400)
        expect(yield* send("application/json", "[]")).toBe(400)
        expect(yield* send("text/plain", "email=a")).toBe(415)
        expect(yield* send("multipart/form-data; boundary=x", "--x--")).toBe(415)
        expect(yield* send("application/x-www-form-urlencoded", `email=${"a".repeat(1024 * 1024)}`)).toBe(413)
      })
    )

    it.effect("splits no header and no message", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const visitor = Visitor.make(app.url)
        const email = "a@example.com\r\nSet-Cookie: x=1\r\nBcc: b@example.com"
        yield* visitor.get("/register")
        const response = yield* visitor.submit("/register", { email, password: "quiet harbour" })
        expect(response.status).toBe(422)
        expect(response.cookies.join()).not.toContain("x=1")
        expect(yield* app.messagesTo("b@example.com")).toEqual([])
        const asked = yield* visitor.get("/account?a=%0d%0aSet-Cookie:%20x=1")
        expect(asked.location).toBe("/login")
        expect(asked.cookies.join()).not.toContain("x=1")
      })
    )

    it.effect("creates no row by requesting pages without a cookie", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        for (const path of ["/", "/login", "/register", "/forgot", "/account", "/csrf"]) {
          const response = yield* Visitor.make(app.url).get(path)
          expect(response.cookies.join()).not.toMatch(/session=[A-Za-z0-9_-]{43};/)
        }
      })
    )
  })
})

// One database is enough: these requests never reach it.
layer(AuthApp.layer(sqlite))("Whatever is sent", (it) => {
  it.effect("gets a response, and never a 500", () =>
    Effect.gen(function* () {
      const app = yield* AuthApp.AuthApp
      const field = fc.constantFrom("email", "password", "password_confirmation", "current", "remember", "x")
      const form = fc.dictionary(field, fc.string({ unit: "binary", maxLength: 40 }))
      const path = fc.constantFrom("/login", "/register", "/forgot", "/reset/a/b", "/verify")
      for (const [target, fields] of fc.sample(fc.tuple(path, form), 60)) {
        const visitor = Visitor.make(app.url)
        yield* visitor.get("/login")
        const { status } = yield* visitor.submit(target, fields)
        expect([303, 401, 422], JSON.stringify([target, fields])).toContain(status)
      }
    })
  )
})
