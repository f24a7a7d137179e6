// Every page as a person sees it: on a phone and on a wide screen, by day and by night.
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { fileURLToPath } from "node:url"
import type { BrowserContextOptions, Page } from "playwright-core"
import * as ApiScopes from "../../src/auth/ApiScopes.ts"
import { Users } from "../../src/auth/Users.ts"
import { newAddress } from "../../testing/PrivateAddress.ts"
import * as AuthApp from "../support/AuthApp.ts"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import * as FactorApp from "../support/FactorApp.ts"
import { sqlite } from "../support/Databases.ts"
import { lastLink } from "../support/MailedLinks.ts"

const scopes = ApiScopes.make({
  "notes:read": "Read your notes",
  "notes:write": "Write, change and delete your notes"
})

const screenshots = fileURLToPath(new URL("./screenshots/", import.meta.url))

const looks = [
  { name: "phone-light", width: 360, height: 740, colorScheme: "light" },
  { name: "phone-dark", width: 375, height: 740, colorScheme: "dark" },
  { name: "wide-light", width: 1440, height: 900, colorScheme: "light" },
  { name: "wide-dark", width: 1280, height: 900, colorScheme: "dark" }
] as const

type Look = (typeof looks)[number]

/** What is wrong with a page in each of the looks. */
type Faults = Readonly<Record<Look["name"], Array<string>>>

// A button that changes its colours slowly would be looked at in between.
const options = (url: string): BrowserContextOptions => ({
  baseURL: url,
  reducedMotion: "reduce",
  extraHTTPHeaders: { "x-forwarded-for": newAddress() }
})

/** Shows the page in each look: it passes axe, fits its width, and is kept for a person to look at. */
const inspect = Effect.fnUntraced(function* (page: Page, faults: Faults, name: string) {
  for (const { colorScheme, height, name: look, width } of looks) {
    yield* Effect.promise(() => page.setViewportSize({ width, height }))
    yield* Effect.promise(() => page.emulateMedia({ colorScheme }))
    faults[look].push(...(yield* Axe.violations(page)).map((violation) => `axe on ${name}: ${violation}`))
    const beyond = yield* Browser.overflow(page)
    if (beyond > 0) faults[look].push(`width of ${name}: ${beyond} pixels too wide`)
    yield* Effect.promise(() => page.screenshot({ path: `${screenshots}auth-${name}-${look}.png`, fullPage: true }))
  }
})

const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(value)
  await Browser.navigate(page, () => page.locator("main form button[type=submit]").first().click())
}

/** Someone visits every page; what is wrong with them, and what the browser complained of. */
const walk = Effect.gen(function* () {
  const app = yield* AuthApp.AuthApp
  const browser = yield* Chromium.Chromium
  const { complaints, page } = yield* Browser.watch(browser, options(app.url))
  const open = (path: string) => Effect.promise(() => page.goto(path))
  const submit = (fields: Readonly<Record<string, string>>) => Effect.promise(() => fill(page, fields))
  const faults: Faults = { "phone-light": [], "phone-dark": [], "wide-light": [], "wide-dark": [] }
  let person = AuthApp.someone()

  for (const path of ["", "register", "login", "forgot"]) {
    yield* open(`/${path}`)
    yield* inspect(page, faults, path === "" ? "home" : path)
  }
  yield* open("/register")
  yield* submit({ email: person.email, password: "12345678", password_confirmation: "12345678" })
  yield* inspect(page, faults, "register-refused")
  yield* open("/login")
  yield* submit({ email: person.email, password: "not this one" })
  yield* inspect(page, faults, "login-refused")

  yield* AuthApp.register(person)
  const link = yield* AuthApp.recoveryLink(person.email)
  yield* open(link)
  yield* inspect(page, faults, "reset")

  yield* open("/account")
  yield* submit({ email: person.email, password: person.password })
  yield* open("/password")
  yield* inspect(page, faults, "password")
  yield* AuthApp.signIn(person, { remember: "1" })
  yield* open("/account")
  yield* inspect(page, faults, "account")
  yield* AuthApp.signIn({ ...person, password: "not this one" })
  yield* app.settled
  yield* open("/account/activity")
  yield* inspect(page, faults, "activity")
  yield* open(yield* lastLink(person.email, "/not-me"))
  yield* inspect(page, faults, "not-me")
  yield* open("/confirm")
  yield* inspect(page, faults, "confirm")
  yield* open("/account/email")
  yield* inspect(page, faults, "email")
  yield* submit({ email: person.email })
  yield* inspect(page, faults, "email-refused")
  const other = AuthApp.someone().email
  yield* submit({ email: other })
  yield* app.settled
  yield* open("/account/email")
  yield* inspect(page, faults, "email-pending")
  yield* open(yield* app.linkTo(other))
  yield* inspect(page, faults, "email-link")
  yield* submit({})
  yield* open(yield* lastLink(person.email, "/account/email/undo"))
  yield* inspect(page, faults, "email-undo")
  person = { ...person, email: other }
  yield* open("/account/passkeys")
  yield* inspect(page, faults, "passkeys")
  yield* open("/account/delete")
  yield* inspect(page, faults, "deletion")
  yield* open("/account/tokens")
  yield* inspect(page, faults, "tokens")
  yield* submit({ name: "Nightly backup" })
  yield* inspect(page, faults, "tokens-refused")
  yield* Effect.promise(() => page.locator("#scope-0").check())
  yield* submit({})
  yield* inspect(page, faults, "tokens-made")
  yield* open("/account/tokens")
  yield* inspect(page, faults, "tokens-listed")
  yield* open("/password")
  yield* inspect(page, faults, "password-tokens")
  yield* open("/password/remove")
  yield* inspect(page, faults, "password-remove")
  const users = yield* Users
  const { id } = yield* Effect.flatten(users.fetch(person.email))
  yield* users.lock(id)
  yield* open("/password")
  yield* inspect(page, faults, "password-locked")
  yield* users.rotate(id, Redacted.make(person.password))
  yield* users.removePassword(id, Redacted.make(person.password))
  for (const path of ["account", "confirm"]) {
    yield* open(`/${path}`)
    yield* inspect(page, faults, `${path}-without-password`)
  }
  yield* open("/password")
  yield* inspect(page, faults, "password-set")
  yield* submit({ password: person.password, password_confirmation: person.password })
  yield* open("/account/factors/new")
  yield* inspect(page, faults, "factors-new")
  yield* submit({ name: "My phone", code: "1" })
  yield* inspect(page, faults, "factors-refused")
  const secret = yield* Effect.promise(() => page.locator("#secret").innerText())
  yield* submit({ code: yield* FactorApp.codeOf(secret.replaceAll(" ", "")) })
  yield* inspect(page, faults, "factors-codes")
  yield* open("/account/factors")
  yield* inspect(page, faults, "factors")
  yield* Effect.promise(() => page.context().clearCookies())
  yield* open("/login")
  yield* submit({ email: person.email, password: person.password })
  yield* inspect(page, faults, "login-factor")
  yield* submit({ code: "1" })
  yield* inspect(page, faults, "login-factor-refused")
  yield* FactorApp.nextCode
  yield* submit({ code: yield* FactorApp.codeOf(secret.replaceAll(" ", "")) })
  expect(new URL(page.url()).pathname).toBe("/account")
  yield* open("/account/delete")
  yield* submit({})
  yield* inspect(page, faults, "deletion-requested")
  yield* submit({ email: person.email, password: person.password })
  yield* FactorApp.nextCode
  yield* submit({ code: yield* FactorApp.codeOf(secret.replaceAll(" ", "")) })
  yield* open("/account")
  yield* inspect(page, faults, "account-pending")
  yield* open("/account/delete")
  yield* inspect(page, faults, "deletion-pending")
  // A refused form is no error of the page, but the console counts its status as one.
  return { faults, complaints: complaints.filter((line) => !/status of (401|422)/.test(line)) }
}).pipe(Effect.scoped)

class Walk extends Context.Tag("test/AuthPages/Walk")<Walk, Effect.Effect.Success<typeof walk>>() {}

const app = Layer.merge(AuthApp.layer(sqlite, { scopes, deletion: true }), Chromium.layer)

Browser.describeBrowser("The pages of authentication", () => {
  layer(Layer.effect(Walk, walk).pipe(Layer.provide(app)), { timeout: "16 minutes" })((it) => {
    it.effect.each(looks)("pass axe, fit and complain of nothing: $name", (look) =>
      Effect.gen(function* () {
        const { complaints, faults } = yield* Walk
        expect(faults[look.name]).toEqual([])
        expect(complaints).toEqual([])
      })
    )
  })
})
