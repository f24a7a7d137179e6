// The pages of second factors, as a browser and as a JSON client, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as German from "../../../demo/texts/German.ts"
import * as Languages from "../../../src/http/Languages.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"

const path = "/account/factors"

const app = Pipeline.app(Pipeline.pages(AuthRoutes.routes))

const secretOf = (page: string): string => (/id="secret">([A-Z2-7 ]+)</.exec(page)?.[1] ?? "").replaceAll(" ", "")
const enrollmentOf = (page: string): string => /name="enrolment" value="([^"]+)"/.exec(page)?.[1] ?? ""
const codesOf = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/<code>([0-9a-z]{4}(?:-[0-9a-z]{4}){5})<\/code>/g)].map(([, code = ""]) => code)

const scanned = (page: string) => ({ secret: secretOf(page), enrolment: enrollmentOf(page) })

describeDatabases("The pages of second factors", (database) => {
  layer(TestApp.layerOf(app, { database: database.layer, environment: "production" }))((it) => {
    it.effect("add an app by a code that it shows, and show ten recovery codes once", () =>
      Effect.gen(function* () {
        yield* FactorApp.nextCode
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.get("/account")).text).toContain("Manage second factors")
        expect((yield* browser.get(path)).text).toContain("You have no authenticator app.")
        const page = yield* browser.get(`${path}/new`)
        expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"])
        expect(page.body).toContain("<svg")
        const { enrolment, secret } = scanned(page.body)
        const wrong = yield* FactorApp.wrongCode(secret)
        const refused = yield* browser.submit(path, { enrolment, name: "My phone", code: wrong })
        expect([refused.status, scanned(refused.body)]).toEqual([422, { enrolment, secret }])
        expect(refused.text).toContain("This is not the code that the app shows now.")
        expect(refused.body).toContain(`value="My phone"`)
        const factors = yield* Factors
        expect(yield* factors.list(browser.user.id)).toEqual([])
        const code = yield* FactorApp.codeOf(secret)
        const added = yield* browser.submit(path, { enrolment, name: "My phone", code })
        expect([added.status, added.headers.get("cache-control")]).toEqual([201, "no-store"])
        const codes = codesOf(added.body)
        expect(new Set(codes).size).toBe(10)
        const list = yield* browser.get(path)
        expect(list.text).toMatch(/My phone added just now · last used just now/)
        expect(list.text).toContain("10 of 10 are left.")
        for (const one of codes) expect(list.body).not.toContain(one)
        expect(list.body).not.toContain(secret)
        const again = yield* browser.submit(path, { enrolment, name: "My phone", code })
        expect([again.status, enrollmentOf(again.body) === enrolment]).toEqual([410, false])
        const guest = yield* TestApp.guest
        const { email, password } = browser.user
        expect((yield* guest.submit("/login", { email, password })).location).toBe("/login/factor")
      })
    )

    it.effect("renew recovery codes, count those that are left, and remove an app", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.submit(`${path}/recovery-codes`, {})).location).toBe(path)
        const { factor, recoveryCodes, secret } = yield* FactorApp.enrol(browser.user)
        const guest = yield* TestApp.guest
        const { email, password } = browser.user
        yield* guest.submit("/login", { email, password })
        expect((yield* guest.submit("/login/factor", { code: recoveryCodes[0] ?? "" })).location).toBe("/account")
        expect((yield* browser.get(path)).text).toContain("9 of 10 are left.")
        const renewed = yield* browser.submit(`${path}/recovery-codes`, {})
        expect([renewed.status, codesOf(renewed.body).length]).toEqual([201, 10])
        expect((yield* browser.get(path)).text).toContain("10 of 10 are left.")
        const stranger = yield* TestApp.signedInUser()
        expect((yield* stranger.submit(`${path}/remove`, { handle: factor.handle })).location).toBe(path)
        expect((yield* browser.get(path)).text).toContain("Phone")
        expect((yield* browser.submit(`${path}/remove`, { handle: factor.handle })).location).toBe(path)
        expect((yield* browser.get(path)).text).toContain("That app was removed.")
        const next = yield* TestApp.guest
        expect((yield* next.submit("/login", { email, password })).location).toBe("/account")
        const events = yield* SecurityEvents
        const { items } = yield* events.list(browser.user.id)
        expect(items.map(({ _tag }) => _tag)).toEqual(
          expect.arrayContaining(["FactorRemoved", "RecoveryCodesRenewed", "RecoveryCodeUsed"])
        )
        expect(JSON.stringify(items)).not.toContain(secret)
      })
    )

    it.effect("need a recent confirmation for every page and every form", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { factor } = yield* FactorApp.enrol(browser.user)
        const { enrolment, secret } = scanned((yield* browser.get(`${path}/new`)).body)
        yield* TestClock.adjust("11 minutes")
        for (const one of [path, `${path}/new`]) expect((yield* browser.get(one)).location, one).toBe("/confirm")
        const code = yield* FactorApp.codeOf(secret)
        const forms: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
          [path, { enrolment, name: "Thief", code }],
          [`${path}/remove`, { handle: factor.handle }],
          [`${path}/recovery-codes`, {}],
          [`${path}/every-device`, { every_device: "1" }]
        ]
        for (const [one, form] of forms) {
          expect((yield* browser.submit(one, form)).location, one).toBe("/confirm")
          expect((yield* browser.json("POST", one, form)).status, one).toBe(403)
        }
        const factors = yield* Factors
        expect((yield* factors.list(browser.user.id)).map(({ name }) => name)).toEqual(["Phone"])
        yield* browser.get(path)
        const done = yield* browser.submit("/confirm", { current: browser.user.password })
        expect(done.location).toBe(path)
        expect((yield* browser.submit(`${path}/remove`, { handle: factor.handle })).location).toBe(path)
        expect(yield* factors.list(browser.user.id)).toEqual([])
      })
    )

    it.effect("store whether trusted devices are asked too", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        yield* FactorApp.enrol(browser.user)
        const factors = yield* Factors
        const asked = Effect.map(factors.required(browser.user.id), ({ onEveryDevice }) => onEveryDevice)
        yield* browser.submit(`${path}/every-device`, { every_device: "1" })
        expect([yield* asked, (yield* browser.get(path)).body.includes("checked")]).toEqual([true, true])
        yield* browser.submit(`${path}/every-device`, {})
        expect([yield* asked, (yield* browser.get(path)).body.includes("checked")]).toEqual([false, false])
      })
    )

    it.effect("refuse a form without a name or code, and escape the name", () =>
      Effect.gen(function* () {
        yield* FactorApp.nextCode
        const browser = yield* TestApp.signedInUser()
        const { enrolment, secret } = scanned((yield* browser.get(`${path}/new`)).body)
        const empty = yield* browser.submit(path, { enrolment, name: " ", code: "" })
        expect(empty.status).toBe(422)
        for (const message of ["Some fields need your attention.", "Give the app a name.", "Enter a code."]) {
          expect(empty.text).toContain(message)
        }
        const long = yield* browser.submit(path, { enrolment, name: "x".repeat(101), code: "1" })
        expect(long.text).toContain("Use a name of at most 100 characters for the app.")
        const code = yield* FactorApp.codeOf(secret)
        const added = yield* browser.submit(path, { enrolment, name: `"><script>`, code })
        expect([added.status, FactorApp.recoveryCodesIn(added.body).length]).toEqual([201, 10])
        const listed = yield* browser.get(path)
        expect(listed.text).toContain(`"><script>`)
        expect(listed.body).not.toContain("<script>")
        expect(listed.body).not.toContain(secret)
      })
    )
  })
})

const german = Languages.layer({ en: Layer.empty, de: German.layer })

layer(TestApp.layerOf(app, { services: german }))("In German", (it) => {
  it.effect("the pages speak German", () =>
    Effect.gen(function* () {
      const browser = yield* TestApp.signedInUser()
      browser.headers.set("accept-language", "de")
      expect((yield* browser.get(path)).text).toContain("Sie haben keine Authenticator-App.")
      const page = yield* browser.get(`${path}/new`)
      expect(page.text).toContain("Scannen Sie das Bild")
      const refused = yield* browser.submit(path, { ...scanned(page.body), name: "", code: "" })
      expect(refused.text).toContain("Geben Sie der App einen Namen.")
    })
  )
})
