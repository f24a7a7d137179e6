// A passkey as the confirmation of who is signed in, over real sockets.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import * as Access from "../../../routes/auth/Access.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import type { RequestOptions } from "../../../src/auth/internal/passkeys/PasskeyOptions.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"

const path = "/confirm/passkey"

const refusal = "That passkey was not accepted. Try again."

const vault = HttpLayerRouter.route(
  "GET",
  "/vault",
  Access.requireConfirmation(Effect.succeed(HttpServerResponse.text("Open")))
)

/** Someone with a passkey whose session is not confirmed any more. */
const late = Effect.gen(function* () {
  const given = yield* PasskeyUser.make
  yield* TestClock.adjust("10 minutes")
  return given
})

const ask = (client: TestClient) =>
  Effect.map(client.json("POST", `${path}/options`), ({ json }) => json as RequestOptions)

const isConfirmed = (client: TestClient) => Effect.map(client.json("GET", "/vault"), ({ status }) => status === 200)

describeDatabases("A confirmation by a passkey", (database) => {
  layer(TestApp.layer([vault], { environment: "production", database: database.layer }))((it) => {
    it.effect("takes the place of the password, and returns to where it came from", () =>
      Effect.gen(function* () {
        const { browser, device } = yield* late
        expect((yield* browser.get("/vault")).location).toBe("/confirm")
        expect((yield* browser.get("/confirm")).body).toContain(`action="${path}"`)
        const options = yield* ask(browser)
        expect(options.allowCredentials.map(({ id }) => id)).toEqual([device.id])
        const before = browser.jar.get("session")
        const done = yield* browser.submit(path, { credential: device.get(options) })
        expect([done.status, done.location]).toEqual([303, "/vault"])
        expect(browser.jar.get("session")).not.toBe(before)
        expect(yield* isConfirmed(browser)).toBe(true)
        yield* TestClock.adjust("10 minutes")
        expect(yield* isConfirmed(browser)).toBe(false)
        const { items } = yield* Effect.flatMap(SecurityEvents, ({ list }) =>
          list(browser.user.id, { events: ["Confirmed"] })
        )
        expect(items).toMatchObject([{ by: "passkey", outcome: "success" }])
      })
    )

    it.effect("is none for another account, another session, a sign-in's challenge or a second time", () =>
      Effect.gen(function* () {
        const { browser, device, user } = yield* late
        const other = yield* late
        const second = yield* TestApp.signedInUser(user)
        const send = (credential: string) => browser.submit(path, { credential })
        const wrong = [
          other.device.get(yield* ask(browser)),
          device.get(yield* ask(second)),
          device.get(yield* PasskeyUser.requestOptions(browser)),
          device.get(yield* ask(browser), { userVerified: false })
        ]
        for (const credential of wrong) {
          const refused = yield* send(credential)
          expect([refused.status, refused.text]).toEqual([422, expect.stringContaining(refusal)])
        }
        expect(yield* isConfirmed(browser)).toBe(false)
        const { items } = yield* Effect.flatMap(SecurityEvents, ({ list }) => list(user.id, { events: ["Confirmed"] }))
        expect(items.map(({ outcome }) => outcome)).toEqual(["failure", "failure", "failure", "failure"])
        yield* TestClock.adjust("1 minute")
        const credential = device.get(yield* ask(browser))
        const sent = yield* Effect.all([send(credential), send(credential)], { concurrency: "unbounded" })
        const [accepted, refused] = sent.map(({ status }) => status).sort()
        // The first gives the session a new id: a second that is read after it belongs to no session.
        expect([accepted, refused === 403 || refused === 422]).toEqual([303, true])
      })
    )

    it.effect("does not work with the challenge of the sign-in that it began with, nor after five minutes", () =>
      Effect.gen(function* () {
        const { device, user } = yield* PasskeyUser.make
        const { secret } = yield* FactorApp.enrol(user)
        const guest = yield* TestApp.guest
        const { email, password } = user
        yield* guest.json("POST", "/login", { email, password })
        const pending = yield* guest.json("POST", "/login/factor/passkey/options")
        const credential = device.get(pending.json as RequestOptions)
        yield* guest.submit("/login/factor", { code: yield* FactorApp.codeOf(secret) })
        expect((yield* guest.submit(path, { credential })).status).toBe(422)
        const old = device.get(yield* ask(guest))
        yield* TestClock.adjust("5 minutes")
        expect((yield* guest.submit(path, { credential: old })).status).toBe(422)
      })
    )

    it.effect("is for signed-in users, limited, and needs the form token", () =>
      Effect.gen(function* () {
        const { browser, device } = yield* late
        const guest = yield* TestApp.guest
        expect((yield* guest.json("POST", `${path}/options`)).status).toBe(401)
        expect((yield* guest.json("POST", path, { credential: "{}" })).status).toBe(401)
        const credential = device.get(yield* ask(browser))
        expect((yield* browser.request(path, { form: { credential } })).status).toBe(403)
        expect((yield* browser.get(path)).location).toBe("/confirm")
        const tries = yield* Effect.replicateEffect(browser.submit(path, { credential: "{}" }), 6)
        expect(tries.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 429])
        expect(tries[0]?.text).toContain(refusal)
        expect(tries[0]?.body).toContain('name="current"')
        // Shared with the password.
        expect((yield* browser.submit("/confirm", { current: browser.user.password })).status).toBe(429)
      })
    )

    it.effect("is not offered to an account without one", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.get("/confirm")).body).not.toContain("passkey")
      })
    )
  })
})

const { confirm, csrf, login } = AuthRoutes.pages

const withoutPasskeys = Pipeline.app(Pipeline.pages([...login, ...confirm, ...csrf]))

layer(TestApp.layerOf(withoutPasskeys))("A program without passkeys", (it) => {
  it.effect("offers none", () =>
    Effect.gen(function* () {
      const browser = yield* TestApp.signedInUser()
      expect((yield* browser.get("/confirm")).body).not.toContain("passkey")
      expect((yield* browser.submit(path, { credential: "{}" })).status).toBe(404)
    })
  )
})
