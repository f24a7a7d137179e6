// Every page as a person sees it: on a phone and on a wide screen, by day and by night.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import type { BrowserContextOptions, Page } from "playwright-core"
import * as ApiScopes from "../../src/auth/ApiScopes.ts"
import { newAddress } from "../../testing/PrivateAddress.ts"
import * as AuthApp from "../support/AuthApp.ts"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import * as FactorApp from "../support/FactorApp.ts"
import { sqlite } from "../support/Databases.ts"

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

const options = (url: string, { colorScheme, height, width }: Look): BrowserContextOptions => ({
  baseURL: url,
  viewport: { width, height },
  colorScheme,
  extraHTTPHeaders: { "x-forwarded-for": newAddress() }
})

/** The page passes axe, fits its width, and is kept for a person to look at. */
const inspect = Effect.fnUntraced(function* (page: Page, look: Look, name: string) {
  expect(yield* Axe.violations(page), `axe on ${name}`).toEqual([])
  expect(yield* Browser.overflow(page), `width of ${name}`).toBeLessThanOrEqual(0)
  yield* Effect.promise(() => page.screenshot({ path: `${screenshots}auth-${name}-${look.name}.png`, fullPage: true }))
})

const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name="${name}"]`).fill(value)
  await Browser.navigate(page, () => page.locator("main form button[type=submit]").first().click())
}

Browser.describeBrowser("The pages of authentication", () => {
  layer(Layer.merge(AuthApp.layer(sqlite, { scopes, deletion: true }), Chromium.layer))((it) => {
    it.scoped.each(looks)(
      "pass axe, fit and complain of nothing: $name",
      (look) =>
        Effect.gen(function* () {
          const app = yield* AuthApp.AuthApp
          const browser = yield* Chromium.Chromium
          const { complaints, page } = yield* Browser.watch(browser, options(app.url, look))
          const open = (path: string) => Effect.promise(() => page.goto(path))
          const submit = (fields: Readonly<Record<string, string>>) => Effect.promise(() => fill(page, fields))
          let person = AuthApp.someone()

          for (const path of ["", "register", "login", "forgot"]) {
            yield* open(`/${path}`)
            yield* inspect(page, look, path === "" ? "home" : path)
          }
          yield* open("/register")
          yield* submit({ email: person.email, password: "12345678", password_confirmation: "12345678" })
          yield* inspect(page, look, "register-refused")
          yield* open("/login")
          yield* submit({ email: person.email, password: "not this one" })
          yield* inspect(page, look, "login-refused")

          yield* AuthApp.register(app, person)
          const link = yield* AuthApp.recoveryLink(app, person.email)
          yield* open(link)
          yield* inspect(page, look, "reset")

          yield* open("/account")
          yield* submit({ email: person.email, password: person.password })
          yield* open("/password")
          yield* inspect(page, look, "password")
          yield* AuthApp.signIn(app, person, { remember: "1" })
          yield* open("/account")
          yield* inspect(page, look, "account")
          yield* AuthApp.signIn(app, { ...person, password: "not this one" })
          yield* app.settled
          yield* open("/account/activity")
          yield* inspect(page, look, "activity")
          const messages = (yield* app.messagesTo(person.email)).map(AuthApp.linkIn)
          yield* open(messages.findLast((path) => path.startsWith("/not-me/")) ?? "")
          yield* inspect(page, look, "not-me")
          yield* open("/confirm")
          yield* inspect(page, look, "confirm")
          yield* open("/account/email")
          yield* inspect(page, look, "email")
          yield* submit({ email: person.email })
          yield* inspect(page, look, "email-refused")
          const other = AuthApp.someone().email
          yield* submit({ email: other })
          yield* app.settled
          yield* open("/account/email")
          yield* inspect(page, look, "email-pending")
          const confirmation = (yield* app.messagesTo(other)).map(AuthApp.linkIn).at(-1) ?? ""
          yield* open(confirmation)
          yield* inspect(page, look, "email-link")
          yield* submit({})
          const previous = (yield* app.messagesTo(person.email)).map(AuthApp.linkIn)
          yield* open(previous.findLast((path) => path.startsWith("/account/email/undo/")) ?? "")
          yield* inspect(page, look, "email-undo")
          person = { ...person, email: other }
          yield* open("/account/passkeys")
          yield* inspect(page, look, "passkeys")
          yield* open("/account/delete")
          yield* inspect(page, look, "deletion")
          yield* open("/account/tokens")
          yield* inspect(page, look, "tokens")
          yield* submit({ name: "Nightly backup" })
          yield* inspect(page, look, "tokens-refused")
          yield* Effect.promise(() => page.locator("#scope-0").check())
          yield* submit({})
          yield* inspect(page, look, "tokens-made")
          yield* open("/account/tokens")
          yield* inspect(page, look, "tokens-listed")
          yield* open("/password")
          yield* inspect(page, look, "password-tokens")
          yield* open("/account/factors/new")
          yield* inspect(page, look, "factors-new")
          yield* submit({ name: "My phone", code: "1" })
          yield* inspect(page, look, "factors-refused")
          const secret = yield* Effect.promise(() => page.locator("#secret").innerText())
          yield* submit({ code: yield* FactorApp.codeOf(secret.replaceAll(" ", "")) })
          yield* inspect(page, look, "factors-codes")
          yield* open("/account/factors")
          yield* inspect(page, look, "factors")
          yield* Effect.promise(() => page.context().clearCookies())
          yield* open("/login")
          yield* submit({ email: person.email, password: person.password })
          yield* inspect(page, look, "login-factor")
          yield* submit({ code: "1" })
          yield* inspect(page, look, "login-factor-refused")
          yield* FactorApp.nextCode
          yield* submit({ code: yield* FactorApp.codeOf(secret.replaceAll(" ", "")) })
          expect(new URL(page.url()).pathname).toBe("/account")
          yield* open("/account/delete")
          yield* submit({})
          yield* inspect(page, look, "deletion-requested")
          yield* submit({ email: person.email, password: person.password })
          yield* FactorApp.nextCode
          yield* submit({ code: yield* FactorApp.codeOf(secret.replaceAll(" ", "")) })
          yield* open("/account")
          yield* inspect(page, look, "account-pending")
          yield* open("/account/delete")
          yield* inspect(page, look, "deletion-pending")
          // A refused form is no error of the page, but the console counts its status as one.
          expect(complaints.filter((line) => !/status of (401|422)/.test(line))).toEqual([])
        }),
      240_000
    )
  })
})
