// The pictures of the README and of the guide to providers, taken from the running demo: its debug page, an account, the
// dashboard under traffic, and the buttons of Google.
import { Effect, type Scope } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import * as TestClient from "../../testing/TestClient.ts"
import * as RunningDemo from "./RunningDemo.ts"

/** Where each picture is, and how large. */
export const pictures = {
  debug: { file: "debug-page.png", viewport: { width: 1080, height: 778 } },
  account: { file: "account.png", viewport: { width: 1000, height: 666 } },
  dashboard: { file: "dashboard.png", viewport: { width: 1200, height: 786 } },
  providers: { file: "providers.png", viewport: { width: 760, height: 830 } },
  identities: { file: "identities.png", viewport: { width: 760, height: 520 } }
} as const

/** How old the demo is when the dashboard is taken, in seconds: its charts of two minutes are full then. */
const age = 112

const agents = {
  here: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  desktop: "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0",
  phone:
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"
}

/** The demo with two workers, and with these variables; its address. */
const demo = (root: string, variables: Readonly<Record<string, string>>): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const storage = yield* RunningDemo.temporary
    const settings = { WORKERS: "2", STORAGE_DIR: storage, TRUSTED_PROXIES: "127.0.0.1", ...variables }
    return (yield* RunningDemo.start(RunningDemo.fromSources(root), settings)).url
  })

const open = (browser: Browser, options: BrowserContextOptions): Effect.Effect<Page> =>
  Effect.promise(async () => (await browser.newContext({ colorScheme: "light", ...options })).newPage())

/** Signs the demo's own account in, from an address of its own. */
const signIn = Effect.fnUntraced(function* (
  browser: Browser,
  options: BrowserContextOptions & { readonly from: string; readonly remember?: boolean }
) {
  const { from, remember = false, ...context } = options
  const page = yield* open(browser, { ...context, extraHTTPHeaders: { "x-forwarded-for": from } })
  yield* Effect.promise(async () => {
    await page.goto("/login")
    await page.getByLabel("E-mail", { exact: true }).fill("demo@example.com")
    await page.getByLabel("Password", { exact: true }).fill("correct-horse-battery")
    if (remember) await page.getByLabel("Keep me signed in on this device").check()
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await page.waitForURL("**/account")
  })
  return page
})

const reading = ["/", "/articles", "/articles?page=7", "/articles?limit=50", "/login", "/health", "/articles?page=21"]

const enrol = (url: string, email: string) => {
  const password = "a quiet harbour"
  const client = TestClient.make(url)
  return Effect.as(client.submit("/register", { email, password, password_confirmation: password }), {
    email,
    password
  })
}

/** Readers who come and go in waves, people who sign in, some with the wrong password, and a route that fails. */
const traffic = Effect.fnUntraced(function* (url: string, until: number) {
  const people = yield* Effect.forEach(["ada", "bea", "cleo"], (name) => enrol(url, `${name}@example.com`))
  for (let tick = 0; Date.now() < until; tick++) {
    const wave = 1 + Math.sin(tick / 22) + 0.6 * Math.sin(tick / 7)
    const readers = Math.max(1, Math.round(3 * wave + 2 * Math.random()))
    const paths = Array.from({ length: readers }, (_, index) => reading[(tick + index) % reading.length] ?? "/")
    const fails = tick % 37 > 30 && tick % 3 === 0
    const requests = [...paths, ...(fails ? ["/error"] : [])].map((path) => TestClient.make(url).get(path))
    const person = people[tick % people.length]
    const signsIn = person !== undefined && tick % (Math.sin(tick / 40) > 0 ? 15 : 40) === 0
    const password = tick % 4 === 0 ? "a loud harbour" : (person?.password ?? "")
    const visits = signsIn ? [TestClient.make(url).submit("/login", { email: person.email, password })] : []
    yield* Effect.all([...requests, ...visits], { concurrency: "unbounded", discard: true })
    yield* Effect.sleep("200 millis")
  }
})

const shootIn =
  (folder: string) =>
  (page: Page, { file, viewport }: (typeof pictures)[keyof typeof pictures]) =>
    Effect.promise(async () => {
      await page.setViewportSize(viewport)
      await page.screenshot({ path: join(folder, file) })
    })

/** The pages with the buttons of Google, whose console is only in the words of the guide. */
const providers = Effect.fnUntraced(function* (root: string, folder: string) {
  const baseURL = yield* demo(root, {
    AUTH_GOOGLE_ID: "an-id.apps.googleusercontent.com",
    AUTH_GOOGLE_SECRET: "a-secret"
  })
  const chrome = yield* RunningDemo.browser
  const shoot = shootIn(folder)
  const visitor = yield* open(chrome, { baseURL })
  yield* Effect.promise(() => visitor.goto("/login"))
  yield* shoot(visitor, pictures.providers)
  const account = yield* signIn(chrome, { baseURL, from: "192.0.2.61" })
  yield* Effect.promise(() => account.goto("/account/identities"))
  yield* shoot(account, pictures.identities)
})

const program = Effect.fnUntraced(function* (root: string, folder: string) {
  const baseURL = yield* demo(root, { FRAMEWORK_ENVIRONMENT: "development" })
  const born = Date.now()
  const chrome = yield* RunningDemo.browser
  const shoot = shootIn(folder)

  yield* signIn(chrome, { baseURL, userAgent: agents.desktop, from: "203.0.113.24" })
  yield* signIn(chrome, { baseURL, userAgent: agents.phone, from: "198.51.100.7", remember: true })
  yield* traffic(baseURL, born + age * 1000)

  const visitor = yield* open(chrome, { baseURL, userAgent: agents.here })
  yield* Effect.promise(() => visitor.goto("/metrics/dashboard"))
  yield* shoot(visitor, pictures.dashboard)
  yield* Effect.promise(() => visitor.goto("/error/typed"))
  yield* shoot(visitor, pictures.debug)

  const account = yield* signIn(chrome, { baseURL, userAgent: agents.here, from: "192.0.2.61", remember: true })
  yield* Effect.promise(() => account.goto("/account"))
  yield* shoot(account, pictures.account)
})

/** Takes them all; takes two minutes, for the dashboard's curves are those of real requests. */
export const take = async (root: string, folder: string): Promise<string> => {
  mkdirSync(folder, { recursive: true })
  await Effect.runPromise(Effect.scoped(providers(root, folder)))
  await Effect.runPromise(Effect.scoped(program(root, folder)))
  return `${Object.keys(pictures).length} pictures in docs/pictures`
}
