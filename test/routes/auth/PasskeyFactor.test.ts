// A passkey as the second factor, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { RequestOptions } from "../../../src/auth/internal/passkeys/PasskeyOptions.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"

const path = "/login/factor/passkey"

const refusal = "That passkey was not accepted. Try again."

const startOver = [303, "/login"]

/** An account with a passkey and an authenticator app, and a client that has sent its password. */
const pending = Effect.gen(function* () {
  const given = yield* PasskeyUser.make
  yield* FactorApp.enrol(given.user)
  const guest = yield* TestApp.guest
  const { email, password } = given.user
  const response = yield* guest.json("POST", "/login", { email, password })
  expect(response.status).toBe(202)
  expect(response.json).toMatchObject({ factors: ["totp", "recovery", "passkey"] })
  return { ...given, guest }
})

const ask = (client: TestClient) =>
  Effect.map(client.json("POST", `${path}/options`), ({ json }) => json as RequestOptions)

describeDatabases("A passkey as second factor", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("completes a sign-in whose password was right", () =>
      Effect.gen(function* () {
        const { device, guest, user } = yield* pending
        expect((yield* guest.get("/login/factor")).body).toContain(`action="${path}"`)
        expect((yield* guest.json("GET", "/account")).status).toBe(401)
        const options = yield* ask(guest)
        expect(options.allowCredentials.map(({ id }) => id)).toEqual([device.id])
        const credential = device.get(options, { userHandle: null })
        const done = yield* guest.submit(path, { credential })
        expect([done.status, done.location]).toEqual([303, "/account"])
        expect((yield* guest.json("GET", "/account")).status).toBe(200)
        const events = yield* SecurityEvents
        const { items } = yield* events.list(user.id, { events: ["SignedIn"] })
        expect(items[0]).toMatchObject({ by: "password", factor: "passkey" })
        // The page is that of someone who is signed in now.
        expect((yield* guest.get("/login/factor")).location).toBe("/account")
      })
    )

    it.effect("is none for another account, another visit or a sign-in's challenge, and five tries are all", () =>
      Effect.gen(function* () {
        const { device, guest } = yield* pending
        const other = yield* pending
        const send = (credential: string) => guest.submit(path, { credential })
        const wrong = [
          other.device.get(yield* ask(guest)),
          device.get(yield* ask(other.guest)),
          device.get(yield* PasskeyUser.requestOptions(guest)),
          device.get(yield* ask(guest), { userVerified: false })
        ]
        for (const credential of wrong) {
          const refused = yield* send(credential)
          expect([refused.status, refused.text]).toEqual([401, expect.stringContaining(refusal)])
        }
        expect((yield* guest.json("GET", "/account")).status).toBe(401)
        const last = yield* send("{}")
        expect([last.status, last.location]).toEqual(startOver)
        const late = yield* send(device.get(yield* PasskeyUser.requestOptions(guest)))
        expect([late.status, late.location]).toEqual(startOver)
        expect((yield* guest.json("POST", `${path}/options`)).status).toBe(410)
      })
    )

    it.effect("is nothing without a pending sign-in, and not offered to an account without one", () =>
      Effect.gen(function* () {
        const { device, user } = yield* PasskeyUser.make
        const guest = yield* TestApp.guest
        yield* guest.get("/login")
        expect((yield* guest.json("POST", `${path}/options`)).status).toBe(410)
        const credential = device.get(yield* PasskeyUser.requestOptions(guest))
        const sent = yield* guest.submit(path, { credential })
        expect([sent.status, sent.location]).toEqual(startOver)
        expect((yield* guest.get(path)).location).toBe("/login/factor")
        // A passkey alone asks for nothing after the password.
        const { email, password } = user
        expect((yield* guest.json("POST", "/login", { email, password })).status).toBe(200)
        const plain = yield* TestApp.signedInUser()
        yield* FactorApp.enrol(plain.user)
        const second = yield* TestApp.guest
        yield* second.submit("/login", { email: plain.user.email, password: plain.user.password })
        const page = yield* second.get("/login/factor")
        expect([page.status, page.body.includes("passkey")]).toEqual([200, false])
      })
    )

    it.effect("is not asked for after a sign-in with a passkey, which has verified the person", () =>
      Effect.gen(function* () {
        const { device } = yield* pending
        const guest = yield* TestApp.guest
        expect((yield* PasskeyUser.signIn(guest, device)).status).toBe(303)
        expect((yield* guest.json("GET", "/account")).status).toBe(200)
      })
    )

    it.effect("shows the page of the factor again in a browser", () =>
      Effect.gen(function* () {
        const { guest } = yield* pending
        const page = yield* guest.submit(path, { credential: "{}" })
        expect([page.status, page.text]).toEqual([401, expect.stringContaining(refusal)])
        expect(page.body).toContain('name="code"')
      })
    )
  })
})
