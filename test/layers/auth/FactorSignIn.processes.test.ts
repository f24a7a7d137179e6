// The second step of a sign-in on two worker processes that share a port: whatever one of them knows, both know.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schema } from "effect"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as AuthenticatorApp from "../../../layers/auth/internal/AuthenticatorApp.ts"
import { stepOf } from "../../../src/auth/internal/factors/FactorRules.ts"
import type { CreationOptions, RequestOptions } from "../../../src/auth/internal/passkeys/PasskeyOptions.ts"
import { bundle } from "../../support/Bundle.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import { eventually } from "../../support/Eventually.ts"
import { parseMail } from "../../support/Mime.ts"
import * as NodeProcess from "../../support/NodeProcess.ts"
import { SoftAuthenticator } from "../../support/SoftAuthenticator.ts"
import * as Workers from "../../support/Workers.ts"

/** The program, and the names of its two workers. */
class Program extends Context.Tag("test/FactorSignIn/Program")<
  Program,
  { readonly url: string; readonly a: string; readonly b: string; readonly mails: string }
>() {}

// Not where it listens: passkeys belong to the address that people use.
const appUrl = "http://localhost:4321"

const script = bundle("../layers/server/LiveProgram.ts")

const program = Layer.scoped(
  Program,
  Effect.gen(function* () {
    const { url: database } = yield* TestDatabase
    const storage = yield* NodeProcess.folder
    const env = {
      PORT: "0",
      WORKERS: "2",
      APP_URL: appUrl,
      TRUSTED_PROXIES: "127.0.0.1",
      DATABASE_URL: database,
      STORAGE_DIR: storage,
      AUTH_ARGON2_MEMORY: "19456",
      AUTH_ARGON2_TIME: "2"
    }
    const process = yield* NodeProcess.start([script], env)
    const [, url = ""] = yield* process.says(/listening on (http:\/\/\S+)/)
    const [a, b] = yield* Effect.promise(() => Workers.namesOf(url))
    return { url, a, b, mails: join(storage, "mails") }
  })
)

const guest = Effect.map(Program, ({ url }) => new Workers.WorkerClient(url))

const send = (client: Workers.WorkerClient, worker: string, method: string, path: string, json?: unknown) =>
  Effect.promise(() => client.send(worker, { method, path, json }))

const status = (client: Workers.WorkerClient, worker: string, method: string, path: string, json?: unknown) =>
  Effect.map(send(client, worker, method, path, json), (answer) => answer.status)

/** Sends both at the same moment, each to its worker. */
const together = (asks: ReadonlyArray<readonly [Workers.WorkerClient, string, string, unknown]>) =>
  Effect.promise(async () => {
    const prepared = await Promise.all(
      asks.map(([client, worker, path, json]) => client.prepare(worker, { method: "POST", path, json }))
    )
    return (await Promise.all(prepared.map((go) => go()))).map((answer) => answer.status)
  })

const Bearer = Schema.Struct({ bearer: Schema.Struct({ token: Schema.String }) })
const Enrollment = Schema.Struct({ enrolment: Schema.String, secret: Schema.String })
const Added = Schema.Struct({ recoveryCodes: Schema.Array(Schema.String) })
const Pending = Schema.Struct({ pending: Schema.String })

const read = <A, I>(schema: Schema.Schema<A, I>, { json }: Workers.Answer): A => Schema.decodeUnknownSync(schema)(json)

const codeNow = (secret: string, drift = 0) => AuthenticatorApp.codeAt(secret, stepOf(Date.now() / 1000) + drift)

const wrongCode = (secret: string) => {
  const right = new Set([-2, -1, 0, 1, 2].map((drift) => codeNow(secret, drift)))
  return ["000000", "111111", "222222", "333333", "444444", "555555"].find((code) => !right.has(code)) ?? ""
}

let people = 0

/** A person with a verified address and a bearer session. */
const person = Effect.gen(function* () {
  const { a, url } = yield* Program
  const credentials = { email: `person-${++people}@example.com`, password: "correct-horse-battery" }
  const signedUp = yield* send(yield* guest, a, "POST", "/api/bearer/sign-up", credentials)
  const member = new Workers.WorkerClient(url, read(Bearer, signedUp).bearer.token)
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`UPDATE users SET email_verified_at = 1 WHERE email = ${credentials.email}`)
  return { credentials, member }
})

/** A person with an authenticator app, whose code of now was not used yet. */
const enrolled = Effect.gen(function* () {
  const { a, b } = yield* Program
  const { credentials, member } = yield* person
  // A step may end between the code and the request: the code of the last one is too old then.
  for (;;) {
    const { enrolment, secret } = read(Enrollment, yield* send(member, a, "POST", "/api/factors/enrolment"))
    const body = { enrolment, name: "App", code: codeNow(secret, -1) }
    const added = yield* send(member, b, "POST", "/api/factors", body)
    if (added.status === 201) return { credentials, member, secret, ...read(Added, added) }
  }
})

type Credentials = Effect.Effect.Success<typeof person>["credentials"]

/** A browser that has sent the password to this worker. */
const pendingBrowser = Effect.fnUntraced(function* (credentials: Credentials, worker: string) {
  const client = yield* guest
  expect(yield* status(client, worker, "POST", "/login", credentials)).toBe(202)
  return client
})

/** The secret of a sign-in without cookies that has done so. */
const pendingSecret = Effect.fnUntraced(function* (credentials: Credentials, worker: string) {
  const answer = yield* send(yield* guest, worker, "POST", "/api/bearer/sign-in", credentials)
  expect(answer.status).toBe(202)
  return read(Pending, answer).pending
})

const mailedLink = Effect.fnUntraced(function* (email: string, below: string) {
  const { mails } = yield* Program
  const found = Effect.sync(() =>
    (existsSync(mails) ? readdirSync(mails) : [])
      .filter((name) => name.endsWith(".eml"))
      .map((name) => parseMail(readFileSync(join(mails, name), "utf8")))
      .filter((mail) => mail.header("to")?.includes(email))
      .flatMap(({ text }) => new RegExp(`(${below}/[0-9a-f]{16}/\\S+)`).exec(text)?.[1] ?? [])
  )
  return (yield* eventually(found, (links) => links.length > 0)).at(-1) ?? ""
})

const factor = "/api/bearer/sign-in/factor"

describeDatabases("A second factor on two workers", (database) => {
  layer(Layer.provideMerge(program, database.layer), { excludeTestServices: true })((it) => {
    it.effect("completes on one what began on the other, and nothing is reachable before, on either", () =>
      Effect.gen(function* () {
        const { a, b, url } = yield* Program
        const { credentials, secret } = yield* enrolled
        const client = yield* pendingBrowser(credentials, a)
        const pending = yield* pendingSecret(credentials, b)
        const impostor = new Workers.WorkerClient(url, pending)
        for (const worker of [a, b]) {
          for (const path of ["/account", "/account/factors", "/api/me", "/api/sessions", "/api/export"]) {
            expect([path, yield* status(client, worker, "GET", path)]).toEqual([path, 401])
          }
          expect(yield* status(impostor, worker, "GET", "/api/me")).toBe(401)
        }
        expect(yield* status(client, b, "POST", "/api/sign-in/factor", { code: codeNow(secret) })).toBe(200)
        for (const worker of [a, b]) expect(yield* status(client, worker, "GET", "/api/me")).toBe(200)
        const answer = yield* send(yield* guest, a, "POST", factor, { pending, code: codeNow(secret, 1) })
        const member = new Workers.WorkerClient(url, read(Bearer, answer).bearer.token)
        for (const worker of [a, b]) expect(yield* status(member, worker, "GET", "/api/me")).toBe(200)
      })
    )

    it.effect("counts five tries over both", () =>
      Effect.gen(function* () {
        const { a, b } = yield* Program
        const { credentials, secret } = yield* enrolled
        const client = yield* pendingBrowser(credentials, a)
        const tries = []
        for (const worker of [a, b, a, b, a]) {
          tries.push(yield* status(client.copy(), worker, "POST", "/api/sign-in/factor", { code: wrongCode(secret) }))
        }
        expect(tries).toEqual([401, 401, 401, 401, 410])
        for (const worker of [a, b]) {
          expect(yield* status(client.copy(), worker, "POST", "/api/sign-in/factor", { code: codeNow(secret) })).toBe(
            410
          )
        }
        // Also when all of them come at once.
        const pending = yield* pendingSecret(credentials, b)
        const clients = yield* Effect.replicateEffect(guest, 8)
        const json = { pending, code: wrongCode(secret) }
        const answers = yield* together(
          clients.map((one, index) => [one, index % 2 === 0 ? a : b, factor, json] as const)
        )
        expect(answers.filter((answer) => answer === 401).length).toBeLessThanOrEqual(4)
        expect(answers.every((answer) => answer === 401 || answer === 410)).toBe(true)
        expect(yield* status(yield* guest, a, "POST", factor, { pending, code: codeNow(secret) })).toBe(410)
      })
    )

    it.effect("accepts a code and a recovery code once, although both get it at the same moment", () =>
      Effect.gen(function* () {
        const { a, b } = yield* Program
        for (let round = 0; round < 3; round++) {
          const { credentials, recoveryCodes, secret } = yield* enrolled
          for (const code of [codeNow(secret), recoveryCodes[0] ?? ""]) {
            // Of two sign-ins, so that only the code is shared.
            const [one, two] = [yield* pendingSecret(credentials, a), yield* pendingSecret(credentials, b)]
            const answers = yield* together([
              [yield* guest, a, factor, { pending: one, code }],
              [yield* guest, b, factor, { pending: two, code }]
            ])
            expect(answers.sort()).toEqual([200, 401])
            const again = yield* pendingSecret(credentials, a)
            expect(yield* status(yield* guest, b, "POST", factor, { pending: again, code })).toBe(401)
          }
          // One sign-in that both complete.
          const pending = yield* pendingSecret(credentials, a)
          const answers = yield* together([
            [yield* guest, a, factor, { pending, code: recoveryCodes[1] ?? "" }],
            [yield* guest, b, factor, { pending, code: recoveryCodes[2] ?? "" }]
          ])
          expect(answers.sort()).toEqual([200, 410])
        }
      })
    )

    it.effect("redeems on one the challenge of a passkey that the other made, once", () =>
      Effect.gen(function* () {
        const { a, b } = yield* Program
        const { member } = yield* person
        const device = new SoftAuthenticator(appUrl)
        const options = (yield* send(member, a, "POST", "/api/passkeys/options")).json as CreationOptions
        const added = { name: "Phone", credential: device.create(options) }
        expect(
          (yield* together([
            [member.copy(), a, "/api/passkeys", added],
            [member.copy(), b, "/api/passkeys", added]
          ])).sort()
        ).toEqual([201, 422])
        for (let round = 0; round < 3; round++) {
          const client = yield* guest
          const challenge = (yield* send(client, a, "POST", "/login/passkey/options")).json as RequestOptions
          const json = { credential: device.get(challenge) }
          const [one, two] = [client.copy(), client.copy()]
          const answers = yield* together([
            [one, a, "/login/passkey", json],
            [two, b, "/login/passkey", json]
          ])
          expect(answers.sort()).toEqual([303, 401])
          expect(yield* status(client.copy(), b, "POST", "/login/passkey", json)).toBe(401)
        }
        const visitor = yield* guest
        const challenge = (yield* send(visitor, a, "POST", "/login/passkey/options")).json as RequestOptions
        // Of another visit.
        const credential = device.get(challenge)
        expect(yield* status(yield* guest, b, "POST", "/login/passkey", { credential })).toBe(401)
        expect(yield* status(visitor, b, "POST", "/login/passkey", { credential })).toBe(303)
        expect(yield* status(visitor, a, "GET", "/api/me")).toBe(200)
      })
    )

    it.effect("confirms on one, by a recovery code that works once, what the other then allows", () =>
      Effect.gen(function* () {
        const { a, b } = yield* Program
        const { credentials, recoveryCodes } = yield* enrolled
        const browser = yield* guest
        yield* send(browser, a, "POST", "/login", { ...credentials, remember: "on" })
        yield* send(browser, b, "POST", "/api/sign-in/factor", { code: recoveryCodes[0] ?? "" })
        browser.jar.delete("session")
        // A trusted device begins a session that nobody has confirmed.
        expect(yield* status(browser, b, "GET", "/account/factors")).toBe(403)
        expect(yield* status(browser, a, "POST", "/api/confirm", { code: recoveryCodes[0] ?? "" })).toBe(422)
        expect(yield* status(browser, a, "POST", "/api/confirm", { code: recoveryCodes[1] ?? "" })).toBe(200)
        for (const worker of [b, a]) expect(yield* status(browser, worker, "GET", "/account/factors")).toBe(200)
        expect(yield* status(browser, b, "POST", "/api/confirm", { code: recoveryCodes[1] ?? "" })).toBe(422)
      })
    )

    it.effect("ends sessions and pending sign-ins of the other with the next request: everywhere, and “not me”", () =>
      Effect.gen(function* () {
        const { a, b } = yield* Program
        for (const kind of ["everywhere", "not me"] as const) {
          const { credentials, member, recoveryCodes, secret } = yield* enrolled
          const browser = yield* pendingBrowser(credentials, b)
          expect(yield* status(browser, b, "POST", "/api/sign-in/factor", { code: codeNow(secret) })).toBe(200)
          const waiting = yield* pendingBrowser(credentials, b)
          const pending = yield* pendingSecret(credentials, b)
          for (const client of [member, browser]) expect(yield* status(client, b, "GET", "/api/me")).toBe(200)
          if (kind === "everywhere") {
            expect(yield* status(member, a, "POST", "/api/sign-out/everywhere")).toBe(200)
          } else {
            const link = yield* mailedLink(credentials.email, "/not-me")
            expect(yield* status(yield* guest, a, "POST", link)).toBe(303)
          }
          for (const client of [member, browser]) expect(yield* status(client, b, "GET", "/api/me")).toBe(401)
          const code = recoveryCodes[0] ?? ""
          expect(yield* status(waiting, b, "POST", "/api/sign-in/factor", { code })).toBe(410)
          expect(yield* status(yield* guest, b, "POST", factor, { pending, code })).toBe(410)
        }
      })
    )
  })
})
