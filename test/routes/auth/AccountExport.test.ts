import { expect, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Redacted, Schema, Stream, TestClock } from "effect"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { AccountExport } from "../../../src/auth/AccountExport.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"

const path = "/account/export"

const Exported = Schema.Struct({
  events: Schema.Array(Schema.Struct({ _tag: Schema.String, device: Schema.Struct({ userAgent: Schema.String }) }))
})

/** Events before all that are recorded by the program, whose ids begin with the time. */
const insertEvents = Effect.fnUntraced(function* (user: AccountId, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO security_events
    WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
    SELECT '00000000-' || (1000000 + n) || ${user}, ${user}, 'SignedUp', 'success', 'person', '192.0.2.1',
      'n' || n, '{}', 0 FROM counted`
})

const services = Layer.succeed(AccountExport, {
  of: ({ email }) => Effect.succeed({ orders: [`one teapot for ${email}`] })
})

describeDatabases("The download of an account", (database) => {
  layer(TestApp.layer([], { environment: "production", database: database.layer, services }))((it) => {
    it.effect("has everything that is stored, and no secret", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const browser = yield* TestApp.guest
        yield* browser.submit("/login", { email: user.email, password: user.password, remember: "1" })
        const tokens = yield* ApiTokens
        const token = yield* tokens.create(user.id, { name: "Backup", scopes: ["notes:read"] })
        const identities = yield* LinkedIdentities
        const subject = { issuer: "https://id.example.com", subject: user.id }
        yield* identities.link(user.id, { ...subject, provider: "company", label: "Ann at work" })
        expect((yield* browser.get("/account")).body).toContain(`href="${path}"`)
        const file = yield* browser.get(path)
        expect([file.status, file.headers.get("content-disposition"), file.headers.get("cache-control")]).toEqual([
          200,
          'attachment; filename="account.json"',
          "no-store"
        ])
        expect(file.json).toMatchObject({
          account: { id: user.id, email: user.email, verified: true },
          password: "set",
          sessions: [{ current: true }],
          devices: [{ current: true }],
          tokens: [{ name: "Backup", scopes: ["notes:read"] }],
          passkeys: [],
          identities: [{ provider: "company", label: "Ann at work" }],
          factors: [],
          program: { orders: [`one teapot for ${user.email}`] }
        })
        expect(file.body).toContain('"SignedIn"')
        expect(file.body).toContain('"AccountExported"')
        const secrets = [user.password, Redacted.value(token.secret), ...browser.jar.values()]
        for (const secret of secrets) expect(file.body).not.toContain(secret)
      })
    )

    it.effect("is for its owner, after a recent confirmation, and limited", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const statuses = yield* Effect.replicateEffect(browser.get(path), 4)
        expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200, 429])
        // Of the account, whatever the client.
        const other = yield* TestApp.signedInUser(browser.user)
        expect((yield* other.get(path)).status).toBe(429)
        expect((yield* (yield* TestApp.signedInUser()).get(path)).status).toBe(200)
        yield* TestClock.adjust("10 minutes")
        expect((yield* browser.get(path)).location).toBe("/confirm")
        expect((yield* browser.json("GET", path)).status).toBe(403)
        expect((yield* (yield* TestApp.guest).get(path)).location).toBe("/login")
      })
    )

    it.effect("keeps and sends 20,000 events, the newest, in parts", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const sql = yield* SqlClient.SqlClient
        yield* insertEvents(browser.user.id, 20_100)
        const file = yield* browser.get(path)
        expect([file.status, file.headers.get("content-length"), file.headers.get("transfer-encoding")]).toEqual([
          200,
          null,
          "chunked"
        ])
        const { events } = Schema.decodeUnknownSync(Exported)(file.json)
        expect(events).toHaveLength(20_000)
        expect(events.slice(0, 2).map(({ _tag }) => _tag)).toEqual(["AccountExported", "SignedIn"])
        expect(events.at(-1)?.device.userAgent).toBe("n103")
        const rows = yield* sql<{ count: number }>`SELECT COUNT(*) AS count FROM security_events
          WHERE user_id = ${browser.user.id}`
        expect(Number(rows[0]?.count)).toBe(20_000)
      })
    )

    it.effect("serves others between any two parts of 20,000 events", () =>
      Effect.gen(function* () {
        const { id } = yield* TestApp.enrolledUser()
        yield* insertEvents(id, 20_000)
        let turns = 0
        let isDone = false
        const other = (): void => {
          turns++
          if (!isDone) setImmediate(other)
        }
        setImmediate(other)
        const seen: Array<number> = []
        const { stream } = yield* SecurityEvents
        yield* Stream.runForEachChunk(stream(id), (part) =>
          Effect.sync(() => {
            seen.push(turns)
            expect(part.length).toBeLessThanOrEqual(100)
          })
        ).pipe(Effect.ensuring(Effect.sync(() => (isDone = true))))
        expect(seen.length).toBeGreaterThanOrEqual(200)
        expect(seen.filter((at, index) => at === seen[index - 1])).toEqual([])
      })
    )

    it.effect("leaves no session when a person signs out everywhere", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { email, password } = browser.user
        const device = yield* TestApp.guest
        yield* device.submit("/login", { email, password, remember: "1" })
        const thief = yield* TestApp.guest
        thief.jar.set("session", browser.jar.get("session") ?? "")
        expect((yield* browser.get("/account")).text).toContain("Sign out everywhere")
        expect((yield* browser.request("/account/everywhere", { form: {} })).status).toBe(403)
        expect((yield* browser.submit("/account/everywhere", {})).location).toBe("/login")
        expect((yield* browser.get("/login")).text).toContain("You are signed out on every device.")
        for (const client of [browser, device, thief]) expect((yield* client.get("/account")).location).toBe("/login")
      })
    )
  })
})
