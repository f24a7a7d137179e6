// The operator learns of each theft of a remember cookie: one log line and one count.
import { expect, layer } from "@effect/vitest"
import { Effect, HashMap, Layer, Logger, Metric, Redacted, Schema } from "effect"
import { AccountId } from "../../../src/session/Identity.ts"
import * as AuthMetrics from "../../../src/auth/internal/AuthMetrics.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

interface Line {
  readonly level: string
  readonly text: string
  readonly facts: Readonly<Record<string, unknown>>
}

const lines: Array<Line> = []

const listening = Logger.replace(
  Logger.defaultLogger,
  Logger.make(({ annotations, logLevel, message }) => {
    lines.push({
      level: logLevel.label,
      text: String(message),
      facts: Object.fromEntries(HashMap.toEntries(annotations))
    })
  })
)

const counted = Effect.map(Metric.value(AuthMetrics.thefts), ({ count }) => count)

const decode = Schema.decodeUnknownSync(Schema.Struct({ id: AccountId }))

/** Someone who is remembered, and the cookie that was theirs before they came back. */
const robbed = Effect.gen(function* () {
  const app = yield* AuthApp.AuthApp
  const { person } = yield* AuthApp.register()
  const { visitor } = yield* AuthApp.signIn(person, { remember: "1" })
  const stolen = visitor.jar.get("remember") ?? ""
  visitor.jar.delete("session")
  const { status } = yield* visitor.get("/account")
  expect(status).toBe(200)
  expect(visitor.jar.get("remember")).not.toBe(stolen)
  const { id } = decode((yield* visitor.json("GET", "/account")).json)
  lines.length = 0
  const thief = () => {
    const made = Visitor.make(app.url)
    made.jar.set("remember", stolen)
    return made
  }
  return { id, person, stolen, thief, visitor, before: yield* counted }
})

describeDatabases("A theft", (database) => {
  layer(AuthApp.layer(database).pipe(Layer.provide(listening)), { excludeTestServices: true })((it) => {
    it.effect.each(["/account", "/login", "/"])("is logged and counted once, by the guard of %s", (path) =>
      Effect.gen(function* () {
        const { before, id, person, stolen, thief } = yield* robbed
        const one = thief()
        yield* one.get(path)
        expect(one.jar.has("remember")).toBe(false)
        expect(lines).toEqual([
          {
            level: "WARN",
            text: "Remember token replayed: every device and session of the account was revoked",
            facts: { user: id, route: path, peer: one.address }
          }
        ])
        expect((yield* counted) - before).toBe(1)
        // The cookie is worth nothing now: its next use is no second theft.
        yield* thief().get(path)
        expect((yield* counted) - before).toBe(1)
        const said = JSON.stringify(lines)
        for (const secret of [person.email, ...stolen.split(".")]) expect(said).not.toContain(secret)
      })
    )

    it.effect("is counted once, however many concurrent requests use the cookie", () =>
      Effect.gen(function* () {
        const { before, thief } = yield* robbed
        yield* Effect.forEach([1, 2, 3, 4, 5], () => thief().get("/account"), { concurrency: "unbounded" })
        expect(lines).toHaveLength(1)
        expect((yield* counted) - before).toBe(1)
      })
    )

    it.effect("is logged and counted where a program rotates a token itself", () =>
      Effect.gen(function* () {
        const { before, id, stolen, visitor } = yield* robbed
        // A response is recorded after it was sent: coming back with its cookie proves that it arrived.
        visitor.jar.delete("session")
        expect((yield* visitor.get("/account")).status).toBe(200)
        const trust = yield* Trust
        const failure = yield* Effect.flip(trust.rotate(Redacted.make(stolen), "30 days"))
        expect(failure.user).toBe(id)
        expect((yield* counted) - before).toBe(1)
        expect(lines).toMatchObject([{ level: "WARN", facts: { user: id } }])
      }).pipe(Effect.provide(listening))
    )
  })
})
