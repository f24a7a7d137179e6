// Text that PostgreSQL cannot hold, in everything that a client can send: no response is a server error.
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Net from "node:net"
import * as Account from "../../demo/Account.ts"
import { databases, TestDatabase } from "../support/Databases.ts"
import * as Demo from "../support/Demo.ts"
import * as Visitor from "../support/Visitor.ts"
import { lists } from "./HostileLists.ts"

// Percent-encoded, as a URL and a form carry them; `%ED%A0%80` is half of a surrogate pair, `%FF` no UTF-8 at all.
const hostile = ["%00", "a%00b", "%ED%A0%80", "%ED%BF%BF", "%FF", "%C0%80", "%EF%BF%BF", "%u0000", "%", "%F4%90%80%80"]

const paths = (text: string) => [
  `/${text}`,
  `/verify/${text}/${text}`,
  `/verify/0123456789abcdef/${text}`,
  `/verify/${text}/${"0".repeat(64)}`,
  `/reset/${text}/${text}`,
  `/reset/0123456789abcdef${text}/${"0".repeat(64)}`,
  `/articles?q=${text}`,
  `/articles?author=${text}`,
  `/articles?sort=${text}`,
  `/articles?page=${text}&limit=${text}`,
  `/articles?cursor=${text}`,
  `/articles?${text}=${text}`,
  `/login?${text}`,
  `/account/${text}`
]

const fields = ["email", "password", "password_confirmation", "current", "remember", "handle", "selector", "_token"]
const forms = [
  "/register",
  "/login",
  "/forgot",
  "/password",
  "/logout",
  "/verify",
  "/account/sessions",
  "/account/devices",
  "/account/others",
  `/reset/0123456789abcdef/${"0".repeat(64)}`
]

// What may stand in a header besides: these bytes reach a program as characters below 256.
const bytes = ["\x80\xff", "\xed\xa0\x80", "\xc0\x80", "%00", "a\tb"]
const headers = [
  "User-Agent",
  "Accept",
  "Accept-Language",
  "Referer",
  "Origin",
  "X-Forwarded-For",
  "X-CSRF-Token",
  "Cookie"
]

/** One request written by hand: the client that the others use refuses to send such headers. */
const raw = (url: string, lines: ReadonlyArray<string>) =>
  Effect.async<number>((resume) => {
    const { host, hostname, port } = new URL(url)
    const socket = Net.connect(Number(port), hostname)
    let text = ""
    socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk))
    socket.on("close", () => resume(Effect.succeed(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0))))
    socket.on("error", () => socket.destroy())
    socket.write(Buffer.from([...lines, `Host: ${host}`, "Connection: close", "", ""].join("\r\n"), "latin1"))
  })

/** Four at a time: enough to keep the program busy, too few for it to refuse any. */
const each = <A>(values: ReadonlyArray<A>, send: (value: A) => Effect.Effect<void>) =>
  Effect.forEach(values, send, { concurrency: 4, discard: true })

describe("The demo", () => {
  for (const database of databases) {
    it.scopedLive(
      `responds to no text from outside with a 5xx, on ${database.name}`,
      () =>
        Effect.gen(function* () {
          const { url: databaseUrl } = yield* TestDatabase
          const demo = yield* Demo.demo({ DATABASE_URL: databaseUrl, TRUSTED_PROXIES: "127.0.0.1" })
          const failures: Array<string> = []
          let peer = 0
          // A peer of its own for each request: a limit would respond before the text is read.
          const from = () => `10.${(++peer >> 8) & 255}.${peer & 255}.1`
          const note = (what: string, status: number) => {
            if (status >= 500 || status === 0) failures.push(`${status} ${what}`)
          }
          const member = Visitor.make(demo.url)
          yield* member.get("/login")
          yield* member.submit("/login", {
            email: Account.email,
            password: Redacted.value(Account.password),
            remember: "1"
          })
          expect((yield* member.get("/account")).status).toBe(200)
          const guest = Visitor.make(demo.url)
          yield* guest.get("/login")
          const csrf = Effect.fnUntraced(function* (visitor: Visitor.Visitor) {
            const { json } = yield* visitor.json("GET", "/csrf")
            return encodeURIComponent(String((json as { readonly token: unknown }).token))
          })
          const counts = new Map<number, number>()
          yield* each([...lists.entries()], ([index, query]) =>
            Effect.gen(function* () {
              const path = `${index % 2 === 0 ? "/articles" : "/api/articles"}?${query}`
              const lines = ["Accept: application/json", `X-Forwarded-For: ${from()}`]
              const status = yield* raw(demo.url, [`GET ${path} HTTP/1.1`, ...lines])
              counts.set(status, (counts.get(status) ?? 0) + 1)
              if (status !== 200 && status !== 400) failures.push(`${status} GET ${path.slice(0, 200)}`)
            })
          )
          // Neither everything is refused, nor everything accepted.
          expect(Math.min(counts.get(200) ?? 0, counts.get(400) ?? 0)).toBeGreaterThan(20)
          yield* each(hostile.flatMap(paths), (path) =>
            Effect.gen(function* () {
              const lines = ["Accept: application/json", `X-Forwarded-For: ${from()}`]
              note(`GET ${path}`, yield* raw(demo.url, [`GET ${path} HTTP/1.1`, ...lines]))
            })
          )
          for (const visitor of [guest, member]) {
            for (const path of forms) {
              if (path === "/logout" && visitor === member) continue
              const token = yield* csrf(visitor)
              const given = fields.flatMap((field) => hostile.slice(0, 5).map((text) => [field, text] as const))
              yield* each(given, ([field, text]) =>
                Effect.gen(function* () {
                  const values = { _token: token, email: "a@example.com", password: "x", [field]: text }
                  const body = Object.entries(values)
                    .map((pair) => pair.join("="))
                    .join("&")
                  const { status } = yield* visitor.request(path, {
                    method: "POST",
                    headers: { "x-forwarded-for": from(), "content-type": "application/x-www-form-urlencoded" },
                    body
                  })
                  note(`POST ${path} ${field}=${text}`, status)
                })
              )
            }
          }
          const pages = ["/", "/login", "/account", "/articles", "/metrics", "/csrf"]
          const carried = bytes.flatMap((text) =>
            headers.flatMap((header) => pages.map((path) => [text, header, path] as const))
          )
          yield* each(carried, ([text, header, path]) =>
            Effect.gen(function* () {
              const value = header === "Cookie" ? `session=${text}; remember=${text}` : text
              note(`GET ${path} ${header}`, yield* raw(demo.url, [`GET ${path} HTTP/1.1`, `${header}: ${value}`]))
            })
          )
          expect(failures).toEqual([])
        }).pipe(Effect.provide(database.layer)),
      300_000
    )
  }
})
