// Passkeys in a real browser, with an authenticator that the browser simulates.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, TestClock } from "effect"
import type { CDPSession, Page } from "playwright-core"
import { LostFactorRequests } from "../../src/auth/internal/LostFactorRequests.ts"
import { Users } from "../../src/auth/Users.ts"
import { newAddress } from "../../testing/PrivateAddress.ts"
import * as AuthApp from "../support/AuthApp.ts"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import { sqlite } from "../support/Databases.ts"
import * as FactorApp from "../support/FactorApp.ts"
import * as LocalhostApp from "../support/LocalhostApp.ts"

const promise = <A>(run: () => Promise<A>) => Effect.promise(run)

const text = (page: Page) => promise(() => page.locator("main").innerText())
const path = (page: Page) => new URL(page.url()).pathname
const visit = (page: Page, to: string) => promise(() => page.goto(to))
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })
const press = (page: Page, name: string) => promise(() => Browser.navigate(page, () => button(page, name).click()))

const options = {
  protocol: "ctap2",
  transport: "internal",
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true
} as const

interface Device {
  readonly cdp: CDPSession
  readonly authenticatorId: string
}

const attach = (page: Page) =>
  promise(async (): Promise<Device> => {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send("WebAuthn.enable")
    const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", { options })
    return { cdp, authenticatorId }
  })

const verified = ({ authenticatorId, cdp }: Device, isUserVerified: boolean) =>
  promise(() => cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }))

/** Sets the counter of the one passkey of a device, as a copy that was made earlier has it. */
const rewind = ({ authenticatorId, cdp }: Device, signCount: number) =>
  promise(async () => {
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId })
    for (const credential of credentials) {
      const { credentialId } = credential
      await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId })
      await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential, signCount } })
    }
  })

/** A browser with an authenticator, at the address of APP_URL and at an address of its own. */
const open = Effect.fnUntraced(function* (javaScriptEnabled = true) {
  const chromium = yield* Chromium.Chromium
  const { origin } = yield* LocalhostApp.LocalhostApp
  const { complaints, page } = yield* Browser.watch(chromium, {
    baseURL: origin,
    javaScriptEnabled,
    extraHTTPHeaders: { "x-forwarded-for": newAddress() }
  })
  return { page, complaints, origin, device: yield* attach(page) }
})

/** A browser that is signed in to a new, verified account. */
const member = Effect.fnUntraced(function* () {
  const app = yield* AuthApp.AuthApp
  const opened = yield* open()
  const { page } = opened
  const person = AuthApp.someone()
  yield* visit(page, "/register")
  yield* promise(async () => {
    await page.getByLabel("E-mail", { exact: true }).fill(person.email)
    await page.getByLabel("Password", { exact: true }).fill(person.password)
    await page.getByLabel("Password, once more", { exact: true }).fill(person.password)
  })
  yield* press(page, "Create account")
  const [message] = yield* app.messagesTo(person.email)
  yield* visit(page, /\/verify\/\S+/.exec(message?.text ?? "")?.[0] ?? "")
  return { ...opened, person }
})

const create = (page: Page, name: string) =>
  Effect.gen(function* () {
    yield* visit(page, "/account/passkeys")
    yield* promise(() => page.getByLabel("Name", { exact: true }).last().fill(name))
    yield* press(page, "Create passkey")
  })

/** A trusted device signs in by itself, which confirms nobody. */
const forgetSession = (page: Page) =>
  promise(async () => {
    const kept = (await page.context().cookies()).filter(({ name }) => name === "remember")
    await page.context().clearCookies()
    await page.context().addCookies(kept)
  })

const signOut = (page: Page) => press(page, "Sign out")

/** What the page says when the device has refused. */
const problem = (page: Page, name: string) =>
  promise(async () => {
    await button(page, name).click()
    const shown = page.locator("[data-problem]:not([hidden])")
    await shown.waitFor()
    return shown.innerText()
  })

Browser.describeBrowser("Passkeys in a browser", () => {
  layer(Layer.merge(LocalhostApp.layer(sqlite), Chromium.layer))((it) => {
    it.scoped("are created, sign in without a name or password, are renamed and removed", () =>
      Effect.gen(function* () {
        const { complaints, page } = yield* member()
        yield* visit(page, "/account")
        yield* promise(() => Browser.navigate(page, () => page.getByRole("link", { name: "Manage passkeys" }).click()))
        expect(yield* text(page)).toContain("You have no passkeys.")
        expect(yield* promise(() => page.getByLabel("Name", { exact: true }).inputValue())).toMatch(/^Chrome on /)
        yield* create(page, "Ada's laptop")
        expect(path(page)).toBe("/account/passkeys")
        expect(yield* text(page)).toContain("Your passkey is ready.")
        expect(yield* text(page)).toContain("never used")

        yield* signOut(page)
        yield* visit(page, "/password")
        expect(path(page)).toBe("/login")
        yield* promise(() => page.getByLabel("Keep me signed in on this device").check())
        yield* press(page, "Sign in with a passkey")
        expect(path(page)).toBe("/password")
        expect(yield* text(page)).toContain("Welcome back!")
        const cookies = yield* promise(() => page.context().cookies())
        expect(cookies.map(({ name }) => name)).toContain("remember")

        // The sign-in counts as a confirmation.
        yield* visit(page, "/account/passkeys")
        expect(path(page)).toBe("/account/passkeys")
        expect(yield* text(page)).toContain("last used just now")
        yield* promise(async () => {
          await page.getByText("Rename").click()
          await page.getByLabel("Name", { exact: true }).first().fill("Old laptop")
        })
        yield* press(page, "Save name")
        expect(yield* text(page)).toContain("Old laptop")
        yield* press(page, "Remove Old laptop")
        expect(yield* text(page)).toContain("You have no passkeys.")

        yield* signOut(page)
        yield* press(page, "Sign in with a passkey")
        expect(yield* text(page)).toContain("That passkey was not accepted.")
        yield* visit(page, "/account")
        expect(path(page)).toBe("/login")
        expect(complaints.filter((line) => !line.includes("401"))).toEqual([])
      })
    )

    it.scoped("are not remembered without the checkbox, and reach the account page without a page before", () =>
      Effect.gen(function* () {
        const { page } = yield* member()
        yield* create(page, "Phone")
        yield* signOut(page)
        yield* press(page, "Sign in with a passkey")
        expect(path(page)).toBe("/account")
        const cookies = yield* promise(() => page.context().cookies())
        expect(cookies.map(({ name }) => name)).not.toContain("remember")
      })
    )

    it.scoped("are not used by someone whom the device does not know", () =>
      Effect.gen(function* () {
        const { device, page } = yield* member()
        yield* create(page, "Phone")
        yield* signOut(page)
        yield* verified(device, false)
        expect(yield* problem(page, "Sign in with a passkey")).toContain("No passkey was used.")
        yield* verified(device, true)
        yield* press(page, "Sign in with a passkey")
        expect(path(page)).toBe("/account")
        yield* visit(page, "/account/passkeys")
        yield* press(page, "Remove Phone")
        yield* verified(device, false)
        expect(yield* problem(page, "Create passkey")).toContain("No passkey was used.")
        expect(yield* text(page)).toContain("You have no passkeys.")
      })
    )

    it.scoped("are created once on each device", () =>
      Effect.gen(function* () {
        const { page } = yield* member()
        yield* create(page, "Phone")
        yield* promise(() => page.getByLabel("Name", { exact: true }).last().fill("Again"))
        expect(yield* problem(page, "Create passkey")).toBe("This device has a passkey of your account already.")
      })
    )

    it.scoped("are refused when a copy counts again what was counted before", () =>
      Effect.gen(function* () {
        const { device, page } = yield* member()
        yield* create(page, "Phone")
        yield* signOut(page)
        yield* rewind(device, 7)
        yield* press(page, "Sign in with a passkey")
        expect(path(page)).toBe("/account")
        yield* signOut(page)
        yield* rewind(device, 3)
        yield* press(page, "Sign in with a passkey")
        expect(yield* text(page)).toContain("That passkey was not accepted.")
        yield* rewind(device, 8)
        yield* press(page, "Sign in with a passkey")
        expect(path(page)).toBe("/account")
      })
    )

    it.scoped("are refused once their account is deleted", () =>
      Effect.gen(function* () {
        const { page, person } = yield* member()
        yield* create(page, "Phone")
        yield* signOut(page)
        const users = yield* Users
        const account = yield* Effect.flatten(users.fetch(person.email))
        yield* users.remove(account.id)
        yield* press(page, "Sign in with a passkey")
        expect(yield* text(page)).toContain("That passkey was not accepted.")
      })
    )

    it.scoped("do not work at another address than that of APP_URL", () =>
      Effect.gen(function* () {
        const { page } = yield* member()
        yield* create(page, "Phone")
        yield* signOut(page)
        const { url } = yield* AuthApp.AuthApp
        yield* visit(page, `${url}/login`)
        expect(yield* problem(page, "Sign in with a passkey")).toContain("No passkey was used.")
      })
    )

    it.scoped("are a second factor after the password", () =>
      Effect.gen(function* () {
        const { page, person } = yield* member()
        yield* create(page, "Phone")
        yield* FactorApp.enrol(person)
        yield* signOut(page)
        yield* promise(async () => {
          await page.getByLabel("E-mail", { exact: true }).fill(person.email)
          await page.getByLabel("Password", { exact: true }).fill(person.password)
        })
        yield* press(page, "Sign in")
        expect(path(page)).toBe("/login/factor")
        expect(yield* Axe.violations(page)).toEqual([])
        yield* press(page, "Sign in with a passkey")
        expect(path(page)).toBe("/account")
        expect(yield* text(page)).toContain("Welcome back!")
      })
    )

    it.scoped("need a recent confirmation to be created or removed, and the way back leads to them", () =>
      Effect.gen(function* () {
        const { page, person } = yield* member()
        yield* create(page, "Phone")
        yield* signOut(page)
        yield* promise(() => page.getByLabel("Keep me signed in on this device").check())
        yield* press(page, "Sign in with a passkey")
        yield* forgetSession(page)
        yield* visit(page, "/account/passkeys")
        expect(path(page)).toBe("/confirm")
        yield* promise(() => page.getByLabel("Current password", { exact: true }).fill(person.password))
        yield* press(page, "Confirm")
        expect(path(page)).toBe("/account/passkeys")
        expect(yield* text(page)).toContain("Phone")
      })
    )

    it.scoped("confirm who is signed in, in the place of the password or a code", () =>
      Effect.gen(function* () {
        const { device, page, person } = yield* member()
        yield* create(page, "Phone")
        yield* signOut(page)
        yield* promise(() => page.getByLabel("Keep me signed in on this device").check())
        yield* press(page, "Sign in with a passkey")
        const { secret } = yield* FactorApp.enrol(person)
        yield* forgetSession(page)
        yield* visit(page, "/account/passkeys")
        expect(path(page)).toBe("/confirm")
        expect(yield* Axe.violations(page)).toEqual([])
        yield* verified(device, false)
        expect(yield* problem(page, "Confirm with a passkey")).toContain("No passkey was used.")
        yield* verified(device, true)
        yield* press(page, "Confirm with a passkey")
        expect(path(page)).toBe("/account/passkeys")
        yield* forgetSession(page)
        yield* visit(page, "/account/factors")
        yield* promise(() => page.getByLabel("Code", { exact: true }).fill("000000 or so"))
        yield* press(page, "Confirm with a code")
        expect(yield* text(page)).toContain("This code is wrong or was used already.")
        expect(yield* Axe.violations(page)).toEqual([])
        const code = yield* FactorApp.codeOf(secret)
        yield* promise(() => page.getByLabel("Code", { exact: true }).fill(code))
        yield* press(page, "Confirm with a code")
        expect(path(page)).toBe("/account/factors")
      })
    )

    it.scoped("stay after a recovery of lost factors, whose pages have no flaw", () =>
      Effect.gen(function* () {
        const { page, person } = yield* member()
        yield* create(page, "Phone")
        yield* FactorApp.enrol(person)
        yield* signOut(page)
        const enter = promise(async () => {
          await page.getByLabel("E-mail", { exact: true }).fill(person.email)
          await page.getByLabel("Password", { exact: true }).fill(person.password)
        })
        yield* enter
        yield* press(page, "Sign in")
        const lost = page.getByRole("link", { name: "I have lost my second factors" })
        yield* promise(() => Browser.navigate(page, () => lost.click()))
        expect(yield* Axe.violations(page)).toEqual([])
        yield* press(page, "Send me the link")
        expect(yield* text(page)).toContain("We have sent you an e-mail.")
        expect(yield* Axe.violations(page)).toEqual([])
        yield* TestClock.adjust("72 hours")
        const { messagesTo } = yield* AuthApp.AuthApp
        const message = (yield* messagesTo(person.email)).at(-1)?.text ?? ""
        const { id } = yield* Effect.flatten(Effect.flatMap(Users, ({ fetch }) => fetch(person.email)))
        const { announce } = yield* LostFactorRequests
        const { token } = Option.getOrThrow(yield* announce(id))
        const complete = `/login/factor/recovery/${Redacted.value(token.value).replace(".", "/")}`
        yield* visit(page, /\/login\/factor\/\S+/.exec(message)?.[0] ?? "")
        expect(yield* text(page)).toContain("Cancel the recovery")
        expect(yield* Axe.violations(page)).toEqual([])
        yield* visit(page, complete)
        expect(yield* Axe.violations(page)).toEqual([])
        yield* promise(() => page.getByLabel("Password", { exact: true }).fill(person.password))
        yield* press(page, "Remove the second factors")
        expect(path(page)).toBe("/login")
        expect(yield* text(page)).toContain("Your second factors were removed.")
        yield* enter
        yield* press(page, "Sign in")
        expect(path(page)).toBe("/account")
        yield* visit(page, "/account/passkeys")
        expect(yield* text(page)).toContain("Phone")
      })
    )

    it.scoped("say plainly that they need scripts, and leave the sign-in page as it is without them", () =>
      Effect.gen(function* () {
        const { page, person } = yield* member()
        const chromium = yield* Chromium.Chromium
        const { origin } = yield* LocalhostApp.LocalhostApp
        const plain = yield* Browser.watch(chromium, {
          baseURL: origin,
          javaScriptEnabled: false,
          extraHTTPHeaders: { "x-forwarded-for": newAddress() }
        })
        yield* visit(plain.page, "/login")
        expect(yield* promise(() => button(plain.page, "Sign in with a passkey").isVisible())).toBe(false)
        yield* promise(async () => {
          await plain.page.getByLabel("E-mail", { exact: true }).fill(person.email)
          await plain.page.getByLabel("Password", { exact: true }).fill(person.password)
        })
        yield* press(plain.page, "Sign in")
        yield* visit(plain.page, "/account/passkeys")
        expect(yield* text(plain.page)).toContain("Passkeys need scripts and a browser that supports them.")
        expect(yield* promise(() => button(plain.page, "Create passkey").isVisible())).toBe(false)
        yield* visit(page, "/account/passkeys")
        expect(yield* text(page)).not.toContain("Passkeys need scripts")
      })
    )

    it.scoped.each(Browser.looks)("are on pages without a flaw: $name", ({ colorScheme, height, name, width }) =>
      Effect.gen(function* () {
        const { page } = yield* member()
        yield* promise(async () => {
          await page.setViewportSize({ width, height })
          await page.emulateMedia({ colorScheme })
        })
        yield* create(page, "A passkey with a name that is longer than a telephone is wide, and then some more")
        yield* promise(() => page.getByText("Rename").click())
        const shots = process.env["SCREENSHOTS"]
        const check = (part: string) =>
          Effect.gen(function* () {
            if (shots !== undefined) {
              yield* promise(() => page.screenshot({ path: `${shots}/${part}-${name}.png`, fullPage: true }))
            }
            expect(yield* Axe.violations(page), part).toEqual([])
            expect(yield* Browser.overflow(page), part).toBe(0)
          })
        yield* check("passkeys")
        yield* visit(page, "/account")
        yield* check("account")
        yield* signOut(page)
        yield* check("login")
      })
    )
  })
})
