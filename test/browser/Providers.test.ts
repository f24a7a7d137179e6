// Sign-in with a provider in a real browser: the demo with one worker and with two, on both databases, and a certified server.
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { BrowserContextOptions, Page } from "playwright-core"
import * as Account from "../../demo/Account.ts"
import * as TestClient from "../../testing/TestClient.ts"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import { freePort } from "../support/Daemon.ts"
import { databases, TestDatabase } from "../support/Databases.ts"
import { demo } from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"
import * as HonestServer from "../support/HonestServer.ts"

const promise = <A>(run: () => Promise<A>) => Effect.promise(run)

/** The demo with a provider, under the name of `localhost`: for a browser the provider is another site. */
const start = Effect.fnUntraced(function* (variables: Readonly<Record<string, string>>) {
  const port = String(yield* freePort)
  const origin = `http://localhost:${port}`
  const { issuer } = yield* HonestServer.start(`${origin}/login/with/oidc/callback`)
  yield* demo({
    ...variables,
    PORT: port,
    APP_URL: origin,
    AUTH_OIDC_ID: HonestServer.client.clientId,
    AUTH_OIDC_SECRET: HonestServer.client.clientSecret,
    AUTH_OIDC_ISSUER: issuer,
    AUTH_OIDC_NAME: "Teapot",
    AUTH_OIDC_NETWORK: "loopback",
    // For their buttons alone: nobody presses them.
    AUTH_GOOGLE_ID: "google",
    AUTH_GOOGLE_SECRET: "google",
    AUTH_MICROSOFT_ID: "microsoft",
    AUTH_MICROSOFT_SECRET: "microsoft",
    AUTH_MICROSOFT_TENANT: "11111111-2222-3333-4444-555555555555"
  })
  return { origin, issuer }
})

const path = (page: Page) => new URL(page.url()).pathname
const text = (page: Page) => promise(() => page.locator("body").innerText())
const visit = (page: Page, to: string) => promise(() => page.goto(to))

const press = (page: Page, name: string) =>
  promise(() => Browser.navigate(page, () => page.getByRole("button", { name, exact: true }).click()))

const open = Effect.fnUntraced(function* (options: BrowserContextOptions) {
  const { complaints, page } = yield* Browser.watch(yield* Browser.launch, options)
  // The pages of the provider want a font from far away.
  yield* promise(() => page.route(/fonts\.googleapis\.com/, (route) => route.fulfill({ body: "" })))
  return { page, complaints }
})

/** Fills in the pages of the provider; leads back to the demo. */
const approve = Effect.fnUntraced(function* (page: Page, person: string) {
  yield* promise(async () => {
    await page.locator("[name=login]").fill(person)
    await page.locator("[name=password]").fill("any")
  })
  const { origin } = new URL(page.url())
  yield* press(page, "Sign-in")
  // Somebody who has agreed before is not asked whether they do.
  if (new URL(page.url()).origin === origin) yield* press(page, "Continue")
})

/** The colours of the buttons whose providers prescribe them: background, text and border. */
const colours = Effect.fnUntraced(function* (page: Page, colorScheme: "light" | "dark") {
  yield* promise(() => page.emulateMedia({ colorScheme, reducedMotion: "reduce" }))
  const found: unknown = yield* promise(() =>
    page.evaluate(`Object.fromEntries(Array.from(document.querySelectorAll("[data-provider]"), (button) => {
      const { backgroundColor, borderTopColor, color } = getComputedStyle(button)
      return [button.dataset.provider, [backgroundColor, color, borderTopColor].join(" ")]
    }))`)
  )
  return found
})

/** What is wrong with the page on a phone by day and on a wide screen by night. */
const faults = Effect.fnUntraced(function* (page: Page) {
  const found: Array<string> = []
  for (const { colorScheme, height, name, width } of Browser.looks) {
    yield* promise(() => page.setViewportSize({ width, height }))
    yield* promise(() => page.emulateMedia({ colorScheme, reducedMotion: "reduce" }))
    found.push(...(yield* Axe.violations(page)).map((one) => `${name} ${path(page)}: ${one}`))
    if ((yield* Browser.overflow(page)) > 0) found.push(`${name} ${path(page)} is too wide`)
  }
  return found
})

const person = { email: Account.email, password: Redacted.value(Account.password) }

/** A person signs up, comes back, changes their mind, is asked for an address, and connects an account, in two languages. */
const life = Effect.fnUntraced(function* (origin: string, issuer: string, javaScriptEnabled: boolean, name: string) {
  const options = { baseURL: origin, javaScriptEnabled, locale: "en-GB" }
  const { complaints, page } = yield* open(options)
  const looked = javaScriptEnabled ? faults : () => Effect.succeed([])
  const wrong: Array<string> = []

  yield* visit(page, "/login")
  wrong.push(...(yield* looked(page)))
  yield* press(page, "Sign in with Teapot")
  expect(new URL(page.url()).origin).toBe(issuer)
  yield* approve(page, name)
  expect(page.url()).toBe(`${origin}/account`)
  expect(yield* text(page)).toContain(`${name}@example.com`)
  // Whoever finds the session of the provider open adds no way in: it asks the person once more.
  yield* visit(page, "/account/identities")
  expect(path(page)).toBe("/confirm")
  wrong.push(...(yield* looked(page)))
  yield* press(page, "Confirm with Teapot")
  expect(new URL(page.url()).origin).toBe(issuer)
  yield* approve(page, name)
  expect(page.url()).toBe(`${origin}/account/identities`)
  expect(yield* text(page)).toContain(`Teapot ${name}@example.com`)
  wrong.push(...(yield* looked(page)))

  // The provider knows the person by now: one click, three redirects, and the page that was asked for.
  yield* press(page, "Sign out")
  yield* visit(page, "/account/activity")
  yield* press(page, "Sign in with Teapot")
  expect(page.url()).toBe(`${origin}/account/activity`)

  const { page: other } = yield* open(options)
  yield* visit(other, "/register")
  wrong.push(...(yield* looked(other)))
  yield* press(other, "Sign up with Teapot")
  yield* promise(() => Browser.navigate(other, () => other.getByText("Cancel").click()))
  expect(other.url()).toBe(`${origin}/login`)
  expect(yield* text(other)).toContain("Teapot did not sign you in.")
  yield* press(other, "Sign in with Teapot")
  yield* approve(other, `${HonestServer.nameless}-${name}`)
  expect(path(other)).toBe("/login/with/oidc/complete")
  wrong.push(...(yield* looked(other)))
  yield* promise(() => other.getByLabel("E-mail", { exact: true }).fill(`typed-${name}@example.com`))
  yield* press(other, "Create account")
  expect(path(other)).toBe("/account")

  const { page: german } = yield* open({ ...options, locale: "de-DE" })
  yield* visit(german, "/login")
  yield* press(german, "Mit Teapot anmelden")
  // Another identity with the address of an account that nobody can take by it.
  yield* approve(german, person.email)
  expect(path(german)).toBe("/login")
  wrong.push(...(yield* looked(german)))
  yield* promise(async () => {
    await german.locator("#email").fill(person.email)
    await german.locator("#password").fill(person.password)
  })
  yield* promise(() =>
    Browser.navigate(german, () => german.locator("#sign-in button[type=submit]:not([formaction])").click())
  )
  expect(path(german)).toBe("/account")
  yield* visit(german, "/account/identities")
  expect(yield* text(german)).toContain(`Teapot ${person.email}`)
  wrong.push(...(yield* looked(german)))
  yield* promise(() =>
    Browser.navigate(german, () => german.locator("li", { hasText: person.email }).getByRole("button").click())
  )
  expect(yield* text(german)).not.toContain(`Teapot ${person.email}`)
  yield* press(german, "Teapot verbinden")
  expect(german.url()).toBe(`${origin}/account/identities`)
  expect(yield* text(german)).toContain("Teapot wurde verbunden.")
  wrong.push(...(yield* looked(german)))
  yield* promise(() =>
    Browser.navigate(german, () => german.locator("li", { hasText: person.email }).getByRole("button").click())
  )
  expect(yield* text(german)).not.toContain(`Teapot ${person.email}`)

  expect(wrong).toEqual([])
  expect(complaints).toEqual([])
})

/** Ten copies of a browser bring the same return at once, each by a connection of its own. */
const replay = Effect.fnUntraced(function* (origin: string) {
  const client = TestClient.make(origin)
  const { location = "" } = yield* client.submit("/login/with/oidc", {})
  const back = yield* promise(() => HonestServer.visit(location, "replayed", origin))
  const cookie = Array.from(client.jar, ([name, value]) => `${name}=${value}`).join("; ")
  const returned = yield* Effect.all(
    Array.from({ length: 10 }, () =>
      promise(() => fetch(origin + back, { redirect: "manual", headers: { cookie, connection: "close" } }))
    ),
    { concurrency: "unbounded" }
  )
  expect(returned.map((response) => response.headers.get("location")).toSorted()).toEqual([
    "/account",
    ...Array.from({ length: 9 }, () => "/login")
  ])
})

for (const database of databases) {
  describe(`Sign-in with a provider on ${database.name}`, () => {
    it.scopedLive.each(["1", "2"])(
      "signs one of ten in that bring the same return at once, and tells operators its state, with %s workers",
      (workers) =>
        Effect.gen(function* () {
          const { url } = yield* TestDatabase
          const { origin } = yield* start({
            WORKERS: workers,
            DATABASE_URL: url,
            FRAMEWORK_ENVIRONMENT: "development"
          })
          yield* replay(origin)
          const read = (at: string) => promise(() => fetch(origin + at).then((response) => response.text()))
          expect(yield* read("/readyz?verbose")).toMatch(/"provider oidc".*"ready":1/)
          // The other worker writes its figures every ten seconds.
          const isCounted = (text: string) => /auth_provider_returns_total\{.*outcome="signed_up".*\} 1$/m.test(text)
          const metrics = yield* eventually(read("/metrics"), isCounted)
          expect(metrics).toMatch(/auth_provider_unavailable\{.*provider="oidc".*\} 0$/m)
        }).pipe(Effect.provide(database.layer)),
      240_000
    )
  })

  Browser.describeBrowser(`A browser that signs in with a provider on ${database.name}`, () => {
    it.scopedLive(
      "goes there and back, with scripts and without, in English and German, with two workers",
      () =>
        Effect.gen(function* () {
          const { url } = yield* TestDatabase
          const { issuer, origin } = yield* start({ WORKERS: "2", DATABASE_URL: url })
          yield* life(origin, issuer, true, "ann")
          yield* life(origin, issuer, false, "bob")
          const { page } = yield* open({ baseURL: origin })
          yield* visit(page, "/login")
          expect(yield* colours(page, "light")).toMatchObject({
            google: "rgb(255, 255, 255) rgb(31, 31, 31) rgb(116, 119, 117)",
            microsoft: "rgb(255, 255, 255) rgb(94, 94, 94) rgb(140, 140, 140)"
          })
          expect(yield* colours(page, "dark")).toMatchObject({
            google: "rgb(19, 19, 20) rgb(227, 227, 227) rgb(142, 145, 143)",
            microsoft: "rgb(47, 47, 47) rgb(255, 255, 255) rgb(47, 47, 47)"
          })
        }).pipe(Effect.provide(database.layer)),
      240_000
    )
  })
}
