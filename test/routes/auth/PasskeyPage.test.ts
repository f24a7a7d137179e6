// The page of passkeys, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import * as German from "../../../demo/texts/German.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { maxPasskeys } from "../../../src/auth/internal/passkeys/PasskeyRules.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as Languages from "../../../src/http/Languages.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import { SoftAuthenticator } from "../../support/SoftAuthenticator.ts"

const { path } = PasskeyUser

const namesOf = Effect.fnUntraced(function* ({ user }: TestApp.SignedInClient) {
  const passkeys = yield* Effect.flatMap(Passkeys, ({ list }) => list(user.id))
  return passkeys.map(({ name }) => name)
})

describeDatabases("The page of passkeys", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("adds, lists, names and removes them, and records it", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.get("/account")).body).toContain(`href="${path}"`)
        expect((yield* browser.get(path)).text).toContain("You have no passkeys.")
        const device = new SoftAuthenticator(TestApp.appUrl)
        const credential = device.create(yield* PasskeyUser.creationOptions(browser), {
          backupEligible: true,
          backedUp: true
        })
        const added = yield* browser.submit(path, { name: "  Ada's <phone> ", credential })
        expect([added.status, added.location]).toEqual([303, path])
        const page = yield* browser.get(path)
        expect(page.text).toContain("Your passkey is ready.")
        expect(page.text).toMatch(/Ada's <phone> synced created just now · never used/)
        expect(page.headers.get("cache-control")).toBe("no-store")
        const second = yield* PasskeyUser.add(browser, "Key")
        expect([second.response.status, second.response.location]).toEqual([303, path])
        expect((yield* browser.get(path)).text).toMatch(/Key created just now · never used/)
        expect((yield* browser.submit(`${path}/rename`, { handle: second.handle, name: "Blue key" })).location).toBe(
          path
        )
        expect(yield* namesOf(browser)).toContain("Blue key")
        expect((yield* browser.submit(`${path}/remove`, { handle: second.handle })).location).toBe(path)
        expect(yield* namesOf(browser)).toEqual(["Ada's <phone>"])
        const events = yield* SecurityEvents
        const { items } = yield* events.list(browser.user.id, { events: ["PasskeyAdded", "PasskeyRemoved"] })
        expect(items).toMatchObject([
          { _tag: "PasskeyRemoved", name: "Blue key" },
          { _tag: "PasskeyAdded", name: "Key" },
          { _tag: "PasskeyAdded", name: "Ada's <phone>" }
        ])
      })
    )

    it.effect("touches passkeys of its own account alone, and says the same of an unknown one", () =>
      Effect.gen(function* () {
        const { browser, device, handle } = yield* PasskeyUser.make
        const stranger = yield* TestApp.signedInUser()
        for (const given of [handle, "unknown", "\0", ""]) {
          expect((yield* stranger.submit(`${path}/remove`, { handle: given })).location).toBe(path)
          expect((yield* stranger.get(path)).text).toContain("That passkey was removed. Delete it on your device too.")
          yield* stranger.submit(`${path}/rename`, { handle: given, name: "Mine" })
        }
        expect(yield* namesOf(browser)).toEqual(["Phone"])
        expect((yield* PasskeyUser.signIn(yield* TestApp.guest, device)).status).toBe(303)
      })
    )

    it.effect("is for signed-in users who confirmed who they are recently, in every one of its forms", () =>
      Effect.gen(function* () {
        const { browser, handle, user } = yield* PasskeyUser.make
        const options = yield* PasskeyUser.creationOptions(browser)
        const credential = new SoftAuthenticator(TestApp.appUrl).create(options)
        yield* TestClock.adjust("11 minutes")
        expect((yield* browser.get(path)).location).toBe("/confirm")
        const forms = [
          [path, { name: "Late", credential }],
          [`${path}/options`, {}],
          [`${path}/rename`, { handle, name: "Late" }],
          [`${path}/remove`, { handle }]
        ] as const
        for (const [to, form] of forms) {
          const refused = yield* browser.json("POST", to, form)
          expect([refused.status, refused.json]).toMatchObject([403, { confirm: "/confirm" }])
          expect((yield* browser.submit(to, form)).location).toBe("/confirm")
        }
        yield* browser.submit("/confirm", { current: user.password })
        expect(yield* namesOf(browser)).toEqual(["Phone"])
        const guest = yield* TestApp.guest
        expect((yield* guest.get(path)).location).toBe("/login")
        for (const [to, form] of forms) expect((yield* guest.json("POST", to, form)).status).toBe(401)
      })
    )

    it.effect("leaves no passkey on an account whose address nobody has verified", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser(yield* TestApp.enrolledUser({ verified: false }))
        const page = yield* browser.get(path)
        expect(page.text).toContain("Verify your e-mail address first.")
        expect(page.body).not.toContain("data-passkey=")
        const error = "Verify your e-mail address first. Then you can create a passkey."
        const options = yield* browser.json("POST", `${path}/options`)
        expect([options.status, options.json]).toEqual([403, { error }])
        const added = yield* browser.submit(path, { name: "Phone", credential: "{}" })
        expect([added.status, added.text]).toEqual([403, expect.stringContaining(error)])
        expect(yield* namesOf(browser)).toEqual([])
      })
    )

    it.effect("refuses what is no passkey of this visit and site, keeps the name, and says why a name is wrong", () =>
      Effect.gen(function* () {
        const { browser, device } = yield* PasskeyUser.make
        const fresh = () => new SoftAuthenticator(TestApp.appUrl)
        const refusal = expect.stringContaining("That passkey was not accepted. Try again.")
        const sent = fresh().create(yield* PasskeyUser.creationOptions(browser))
        const stolen = yield* (yield* TestApp.signedInUser()).submit(path, { name: "Mine", credential: sent })
        expect([stolen.status, stolen.text]).toEqual([422, refusal])
        for (const lies of [{ origin: "https://evil.example" }, { userVerified: false }, { rpId: "example" }]) {
          expect((yield* PasskeyUser.add(browser, "Phone", lies)).response.text).toEqual(refusal)
        }
        const twice = yield* PasskeyUser.add(browser, "Again", { id: device.id })
        expect(twice.response.text).toContain("This device has a passkey of your account already.")
        const page = yield* browser.submit(path, { name: "Kept name", credential: "{}" })
        expect([page.status, page.body]).toEqual([422, expect.stringContaining('value="Kept name"')])
        expect(page.body).not.toContain('value="{}"')
        const names = [
          ["", "Give the passkey a name."],
          [" \t", "Give the passkey a name."],
          ["\0", "Give the passkey a name."],
          ["x".repeat(101), "Use a name of at most 100 characters."]
        ] as const
        for (const [name, message] of names) {
          const wrong = yield* browser.submit(path, { name, credential: "{}" })
          expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining(message)])
          const renamed = yield* browser.submit(`${path}/rename`, { handle: "any", name })
          expect(renamed.status).toBe(422)
          yield* TestClock.adjust("15 seconds")
        }
        expect(yield* namesOf(browser)).toEqual(["Phone"])
      })
    )

    it.effect("says so when an account has as many as it may have", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        for (let n = 0; n < maxPasskeys; n++) {
          expect((yield* PasskeyUser.add(browser, `Key ${n}`)).response.status).toBe(303)
          yield* TestClock.adjust("10 seconds")
        }
        // As many new credentials as an account may have in an hour.
        expect((yield* PasskeyUser.add(browser, "One more")).response.status).toBe(429)
        yield* TestClock.adjust("1 hour")
        yield* browser.submit("/confirm", { current: browser.user.password })
        const more = yield* PasskeyUser.add(browser, "One more")
        expect(more.response.status).toBe(422)
        expect(more.response.text).toContain("You have 20 passkeys. Remove one that is no longer used.")
      })
    )
  })
})

const german = Languages.layer({ en: Layer.empty, de: German.layer })

layer(TestApp.layer([], { services: german }))("The page of passkeys in German", (it) => {
  it.effect("has every text", () =>
    Effect.gen(function* () {
      const { browser } = yield* PasskeyUser.make
      browser.headers.set("accept-language", "de")
      const { text } = yield* browser.get(path)
      for (const part of ["Passkeys verwalten", "Umbenennen", "Entfernen", "Passkey erstellen", "nie verwendet"]) {
        expect(text).toContain(part)
      }
      const wrong = yield* browser.submit(path, { name: "", credential: "{}" })
      expect(wrong.text).toContain("Geben Sie dem Passkey einen Namen.")
      const guest = yield* TestApp.guest
      guest.headers.set("accept-language", "de")
      expect((yield* guest.get("/login")).text).toContain("Mit Passkey anmelden")
      expect((yield* guest.submit("/login/passkey", { credential: "{}" })).text).toContain(
        "Dieser Passkey wurde nicht akzeptiert. Versuchen Sie es noch einmal."
      )
    })
  )
})
