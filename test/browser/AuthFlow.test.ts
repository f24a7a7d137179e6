// The whole life of an account in a real browser, with scripts and without.
import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import type { Browser as Browsing, Page, Route } from "playwright-core"
import { newAddress } from "../../testing/PrivateAddress.ts"
import * as AuthApp from "../support/AuthApp.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import { sqlite } from "../support/Databases.ts"

const promise = <A>(run: () => Promise<A>) => Effect.promise(run)

/** A browser of its own, at an address of its own. */
const open = (chromium: Browsing, url: string, javaScriptEnabled: boolean) =>
  Browser.watch(chromium, {
    baseURL: url,
    javaScriptEnabled,
    extraHTTPHeaders: { "x-forwarded-for": newAddress() }
  })

/** Fills in the form of the page, by the labels that a person reads, and sends it. */
const send = (page: Page, fields: Readonly<Record<string, string>>, button: string) =>
  promise(async () => {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value)
    await Browser.navigate(page, () => page.getByRole("button", { name: button, exact: true }).click())
  })

const text = (page: Page) => promise(() => page.locator("body").innerText())
const path = (page: Page) => new URL(page.url()).pathname
const visit = (page: Page, to: string) => promise(() => page.goto(to))

Browser.describeBrowser("The life of an account", () => {
  layer(Layer.merge(AuthApp.layer(sqlite, { hashing: "argon2" }), Chromium.layer))((it) => {
    it.scoped.each([
      { scripts: "with scripts", javaScriptEnabled: true },
      { scripts: "without scripts", javaScriptEnabled: false }
    ])(
      "goes from sign-up to reset $scripts",
      ({ javaScriptEnabled }) =>
        Effect.gen(function* () {
          const app = yield* AuthApp.AuthApp
          const chromium = yield* Chromium.Chromium
          const { complaints, page } = yield* open(chromium, app.url, javaScriptEnabled)
          const { email, password } = AuthApp.someone()
          const signIn = (page: Page, secret: string) => send(page, { "E-mail": email, Password: secret }, "Sign in")

          yield* visit(page, "/")
          yield* promise(() =>
            Browser.navigate(page, () => page.getByRole("main").getByRole("link", { name: "Sign up" }).click())
          )
          yield* send(page, { "E-mail": email, Password: password, "Password, once more": password }, "Create account")
          expect(path(page)).toBe("/account")
          expect(yield* text(page)).toContain("Account created! Check your inbox for the verification link.")

          yield* visit(page, yield* app.linkTo(email))
          expect(path(page)).toBe("/account")
          expect(yield* text(page)).toContain("E-mail verified!")

          yield* send(page, {}, "Sign out")
          expect(path(page)).toBe("/login")
          expect(yield* text(page)).toContain("Signed out.")
          yield* visit(page, "/password")
          expect(yield* text(page)).toContain("Sign in to continue.")
          yield* promise(() => page.getByLabel("Keep me signed in on this device").check())
          yield* signIn(page, password)
          expect(path(page)).toBe("/password")
          expect(yield* text(page)).toContain("Welcome back!")

          // Closing the browser ends its session cookie; the remember cookie stays.
          yield* promise(() => page.context().clearCookies({ name: "session" }))
          yield* visit(page, "/account")
          expect(path(page)).toBe("/account")

          const { page: other } = yield* open(chromium, app.url, javaScriptEnabled)
          yield* visit(other, "/login")
          yield* signIn(other, password)
          expect(path(other)).toBe("/account")
          yield* visit(page, "/password")
          const next = `${password}, changed`
          const change = { "Current password": password, "New password": next, "New password, once more": next }
          yield* send(page, change, "Change password")
          expect(yield* text(page)).toContain("Password changed. Other devices were signed out.")
          yield* visit(other, "/account")
          expect(path(other)).toBe("/login")
          yield* signIn(other, password)
          expect(yield* text(other)).toContain("Invalid credentials.")
          expect(yield* promise(() => other.getByLabel("E-mail").inputValue())).toBe(email)

          yield* promise(() =>
            Browser.navigate(other, () => other.getByRole("link", { name: "Forgot your password?" }).click())
          )
          yield* send(other, { "E-mail": email }, "Send the link")
          expect(yield* text(other)).toContain("If that e-mail exists, we sent a password reset link.")
          yield* visit(other, yield* app.linkTo(email))
          const reset = { "New password": password, "New password, once more": password }
          yield* send(other, reset, "Set the new password")
          expect(yield* text(other)).toContain("Password reset! Sign in with your new password.")
          yield* visit(page, "/account")
          expect(path(page)).toBe("/login")
          yield* signIn(other, password)
          expect(path(other)).toBe("/account")
          expect(complaints).toEqual([])
        }),
      240_000
    )

    it.scoped(
      "shows and hides a password, by key as by hand",
      () =>
        Effect.gen(function* () {
          const app = yield* AuthApp.AuthApp
          const chromium = yield* Chromium.Chromium
          const { complaints, page } = yield* open(chromium, app.url, true)
          yield* visit(page, "/login")
          const field = page.locator("#password")
          const type = promise(() => field.getAttribute("type"))
          yield* promise(() => field.fill("not this password"))
          yield* promise(() => page.keyboard.press("Tab"))
          yield* promise(() => page.keyboard.press("Enter"))
          expect(yield* type).toBe("text")
          const button = page.getByRole("button", { name: "Hide password" })
          expect(yield* promise(() => button.getAttribute("aria-pressed"))).toBe("true")
          yield* promise(() => button.click())
          expect(yield* type).toBe("password")
          expect(complaints).toEqual([])
        }),
      240_000
    )

    it.scoped(
      "puts the focus where something is wrong, and says it there",
      () =>
        Effect.gen(function* () {
          const app = yield* AuthApp.AuthApp
          const chromium = yield* Chromium.Chromium
          const { page } = yield* open(chromium, app.url, true)
          const { email } = AuthApp.someone()
          yield* visit(page, "/register")
          const form = { "E-mail": email, Password: "quiet harbour", "Password, once more": "another harbour" }
          yield* send(page, form, "Create account")
          const wrong = page.locator("#password_confirmation")
          expect(yield* promise(() => page.locator(":focus").getAttribute("id"))).toBe("password_confirmation")
          expect(yield* promise(() => wrong.getAttribute("aria-invalid"))).toBe("true")
          const described = yield* promise(() => wrong.getAttribute("aria-describedby"))
          expect(yield* promise(() => page.locator(`#${described}`).innerText())).toBe("The two passwords differ.")
          expect(yield* promise(() => page.getByLabel("E-mail").inputValue())).toBe(email)
          expect(yield* promise(() => page.locator("#password").inputValue())).toBe("")
        }),
      240_000
    )

    it.scoped(
      "keeps the focus and what is typed when the script arrives late",
      () =>
        Effect.gen(function* () {
          const app = yield* AuthApp.AuthApp
          const chromium = yield* Chromium.Chromium
          const { page } = yield* open(chromium, app.url, true)
          const released = yield* Deferred.make<void>()
          const hold = (route: Route) => Effect.runPromise(Deferred.await(released)).then(() => route.continue())
          yield* promise(() => page.route("**/assets/enhance.js*", hold))
          yield* promise(() => page.goto("/login", { waitUntil: "commit" }))
          const field = page.locator("#password")
          yield* promise(() => field.pressSequentially("quiet har"))
          yield* Deferred.succeed(released, undefined)
          yield* promise(() => page.getByRole("button", { name: "Show password" }).waitFor())
          yield* promise(() => page.keyboard.type("bour"))
          expect(yield* promise(() => field.inputValue())).toBe("quiet harbour")
        }),
      240_000
    )
  })
})
