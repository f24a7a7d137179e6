// The whole life of an account in the real demo: one process and three workers, on both databases.
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Account from "../../demo/Account.ts"
import { databases, TestDatabase } from "../support/Databases.ts"
import * as Demo from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"
import { type Mail, parseMail } from "../support/Mime.ts"
import * as SmtpServer from "../support/SmtpServer.ts"
import * as Visitor from "../support/Visitor.ts"

const appUrl = "https://app.example"

const start = (env: Readonly<Record<string, string>>) =>
  Demo.demo({ APP_URL: appUrl, TRUSTED_PROXIES: "127.0.0.1", ...env })

const messages = (storage: string, email: string): ReadonlyArray<Mail> => {
  const folder = join(storage, "mails")
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith(".eml"))
    .map((name) => parseMail(readFileSync(join(folder, name), "utf8")))
    .filter((mail) => mail.header("to") === email)
}

const linkIn = (mail: Mail | undefined): string => new RegExp(`${appUrl}(/\\S+)`).exec(mail?.text ?? "")?.[1] ?? ""

/** The link of this kind that was mailed to the address, as soon as it is there. */
const linkTo = (storage: string, email: string, kind: "verify" | "reset") =>
  Effect.map(
    eventually(
      Effect.sync(() => messages(storage, email).map(linkIn)),
      (links) => links.some((link) => link.startsWith(`/${kind}/`))
    ),
    (links) => links.find((link) => link.startsWith(`/${kind}/`)) ?? ""
  )

const signIn = Effect.fnUntraced(function* (url: string, email: string, password: string, remember = false) {
  const visitor = Visitor.make(url)
  yield* visitor.get("/login")
  const response = yield* visitor.submit("/login", { email, password, ...(remember && { remember: "1" }) })
  return { visitor, response }
})

/** Where this browser ends up when many of its requests come at once, over as many connections. */
const seenEverywhere = (visitor: Visitor.Visitor) =>
  Effect.map(
    Effect.all(
      Array.from({ length: 9 }, () => visitor.get("/account")),
      { concurrency: "unbounded" }
    ),
    (responses) => [...new Set(responses.map(({ location, status }) => location ?? status))]
  )

const life = Effect.fnUntraced(function* ({ storage, url }: Demo.Demo) {
  const email = "newcomer@example.com"
  const password = "quiet harbour lights"
  const visitor = Visitor.make(url)
  yield* visitor.get("/register")
  const made = yield* visitor.submit("/register", { email, password, password_confirmation: password })
  expect(made).toMatchObject({ status: 303, location: "/account" })
  const verification = yield* linkTo(storage, email, "verify")
  expect((yield* visitor.get(verification)).location).toBe("/account")
  expect(yield* visitor.read("/account")).toContain("E-mail verified!")
  yield* visitor.get("/account")
  expect((yield* visitor.submit("/logout", {})).location).toBe("/login")
  expect(yield* seenEverywhere(visitor)).toEqual(["/login"])

  const { visitor: remembered } = yield* signIn(url, email, password, true)
  remembered.jar.delete("session")
  expect((yield* remembered.get("/account")).status).toBe(200)
  const { visitor: other } = yield* signIn(url, email, password)
  expect(yield* seenEverywhere(other)).toEqual([200])
  yield* remembered.get("/password")
  const next = `${password}, changed`
  const changed = yield* remembered.submit("/password", { current: password, password: next })
  expect(changed.location).toBe("/account")
  expect(yield* seenEverywhere(other)).toEqual(["/login"])
  expect(yield* seenEverywhere(remembered)).toEqual([200])

  yield* other.get("/forgot")
  expect((yield* other.submit("/forgot", { email })).location).toBe("/forgot")
  const recovery = yield* linkTo(storage, email, "reset")
  yield* other.get(recovery)
  expect((yield* other.submit(recovery, { password })).location).toBe("/login")
  expect(yield* seenEverywhere(remembered)).toEqual(["/login"])
  expect((yield* signIn(url, email, next)).response.status).toBe(401)
  expect((yield* signIn(url, email, password)).response.status).toBe(303)
  expect((yield* signIn(url, Account.email, "correct-horse-battery")).response.status).toBe(303)
  return { password, secrets: [verification, recovery].map((link) => link.split("/")[3] ?? "") }
})

/** Everything that the demo has written for others to read. */
const written = (demo: Demo.Demo): string => {
  const logs = join(demo.storage, "logs")
  const files = existsSync(logs) ? readdirSync(logs).map((name) => readFileSync(join(logs, name), "utf8")) : []
  const { stderr, stdout } = demo.output()
  return [stdout, stderr, ...files].join("\n")
}

/** Several people sign up, and the demo is told to end at once. */
const endAfterSignUps = Effect.fnUntraced(function* (demo: Demo.Demo) {
  const people = Array.from({ length: 4 }, (_, index) => `person-${index}@example.com`)
  const signUp = (email: string) =>
    Visitor.make(demo.url).json("POST", "/register", { email, password: "quiet harbour" })
  yield* Effect.forEach(people, signUp, { concurrency: "unbounded" })
  demo.signal("SIGTERM")
  expect(yield* demo.ended).toMatchObject({ code: 0 })
  return people
})

for (const database of databases) {
  describe(`The demo on ${database.name}`, () => {
    it.scopedLive.each(["1", "3"])(
      "runs all flows of an account with %s workers, leaks no secret, and ends after its e-mails are sent",
      (workers) =>
        Effect.gen(function* () {
          const { url } = yield* TestDatabase
          const demo = yield* start({ WORKERS: workers, DATABASE_URL: url })
          const { password, secrets } = yield* life(demo)
          const metrics = (yield* Visitor.make(demo.url).get("/metrics")).body
          expect(metrics).toContain("http_requests_total")
          const people = yield* endAfterSignUps(demo)
          for (const email of people) expect(messages(demo.storage, email)).toHaveLength(1)
          for (const secret of [...secrets, password]) {
            expect(secret.length).toBeGreaterThan(10)
            expect(metrics).not.toContain(secret)
            expect(written(demo)).not.toContain(secret)
          }
        }).pipe(Effect.provide(database.layer)),
      240_000
    )
  })
}

describe("The demo with a slow mail server", () => {
  it.scopedLive(
    "responds before the e-mail is sent, and ends after it",
    () =>
      Effect.gen(function* () {
        const arrived = yield* Deferred.make<void>()
        const taken = yield* Deferred.make<void>()
        const server = yield* SmtpServer.serve({
          onMessage: () => {
            Deferred.unsafeDone(arrived, Effect.void)
            return Effect.runPromise(Deferred.await(taken))
          }
        })
        const demo = yield* start({ MAIL_HOST: "127.0.0.1", MAIL_PORT: String(server.port), MAIL_SECURE: "none" })
        const person = { email: "patient@example.com", password: "quiet harbour" }
        expect((yield* Visitor.make(demo.url).json("POST", "/register", person)).status).toBe(201)
        yield* Deferred.await(arrived)
        demo.signal("SIGTERM")
        yield* eventually(
          Effect.promise(() =>
            fetch(demo.url).then(
              () => "open",
              () => "closed"
            )
          ),
          (state) => state === "closed"
        )
        expect(demo.child.exitCode).toBeNull()
        yield* Deferred.succeed(taken, undefined)
        expect(yield* demo.ended).toMatchObject({ code: 0 })
        expect(server.received.map(({ to }) => to)).toEqual([[person.email]])
        expect(written(demo)).not.toContain("not delivered")
      }),
    240_000
  )
})
