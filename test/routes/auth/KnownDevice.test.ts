// Strangers who guess do not lock an owner out.
import { expect, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Visitor from "../../support/Visitor.ts"

const cookie = "known_device"

const attempt = Effect.fnUntraced(function* (visitor: Visitor.Visitor, { email, password }: AuthApp.Person) {
  yield* visitor.get("/login")
  return yield* visitor.submit("/login", { email, password })
})

/** Strangers with as many addresses have used up the attempts of an account. */
const besieged = Effect.gen(function* () {
  const app = yield* AuthApp.AuthApp
  const { person, visitor: owner } = yield* AuthApp.register()
  yield* owner.get("/account")
  yield* owner.submit("/logout", {})
  const wrong = { ...person, password: "not this password" }
  const stranger = () => Visitor.make(app.url)
  for (let turn = 0; turn < AuthRateLimits.rules.loginPerAccount.limit; turn++) {
    expect((yield* attempt(stranger(), wrong)).status).toBe(401)
  }
  expect((yield* attempt(stranger(), wrong)).status).toBe(429)
  expect((yield* attempt(stranger(), person)).status).toBe(429)
  return { app, owner, person, stranger, wrong }
})

// Each its own limit of sign-ins, as for someone who moves between networks.
const moved = (app: { readonly url: string }, device: string | undefined) => {
  const visitor = Visitor.make(app.url)
  if (device !== undefined) visitor.jar.set(cookie, device)
  return visitor
}

describeDatabases("An account that strangers have used up the sign-ins of", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("signs in on a known device, and on no other", () =>
      Effect.gen(function* () {
        const { app, owner, person, stranger } = yield* besieged
        const known = owner.jar.get(cookie)
        const other = yield* AuthApp.register()
        const forged = [
          other.visitor.jar.get(cookie),
          (known ?? "").replace(/.$/, (last) => (last === "A" ? "B" : "A")),
          (known ?? "").replace(/^d\.../, "d.00"),
          "d.x",
          ""
        ]
        const plain = yield* attempt(stranger(), person)
        for (const device of forged) {
          const refused = yield* attempt(moved(app, device), person)
          expect(refused.status, device).toBe(429)
          expect([...refused.headers.keys()].sort()).toEqual([...plain.headers.keys()].sort())
        }
        const response = yield* attempt(owner, person)
        expect(response).toMatchObject({ status: 303, location: "/account" })
        expect(response.headers.get("retry-after")).toBeNull()
        // Nobody else gets in by that.
        expect((yield* attempt(stranger(), person)).status).toBe(429)
      })
    )

    it.effect("gives a known device few guesses, so that a copied cookie gives few", () =>
      Effect.gen(function* () {
        const { app, owner, person, wrong } = yield* besieged
        const device = owner.jar.get(cookie)
        for (let turn = 0; turn < AuthRateLimits.rules.loginPerDevice.limit; turn++) {
          expect((yield* attempt(moved(app, device), wrong)).status).toBe(401)
        }
        expect((yield* attempt(moved(app, device), person)).status).toBe(429)
        yield* TestClock.adjust("11 minutes")
        expect((yield* attempt(moved(app, device), person)).status).toBe(303)
      })
    )

    it.effect("knows no device from before a reset of the password, but the one of the reset", () =>
      Effect.gen(function* () {
        const { app, owner, person, wrong } = yield* besieged
        yield* TestClock.adjust("1 minute")
        const link = yield* AuthApp.recoveryLink(person.email)
        const resetting = Visitor.make(app.url)
        const password = "another quiet harbour"
        expect((yield* resetting.json("POST", link, { password })).status).toBe(200)
        expect((yield* attempt(moved(app, owner.jar.get(cookie)), { ...person, password })).status).toBe(429)
        expect((yield* attempt(resetting, { ...person, password })).status).toBe(303)
        expect((yield* attempt(Visitor.make(app.url), wrong)).status).toBe(429)
      })
    )

    it.effect("has a cookie that no script reads and that signs nobody in", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const { response, visitor } = yield* AuthApp.register()
        const line = response.cookies.find((one) => one.startsWith(`${cookie}=`)) ?? ""
        expect(line).toMatch(/; Max-Age=34560000; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
        expect((yield* moved(app, visitor.jar.get(cookie)).get("/account")).location).toBe("/login")
      })
    )
  })
})
