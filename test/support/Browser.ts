// A real Chromium. Tests that need it are skipped where there is none, except in CI.
import { Effect } from "effect"
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core"
import { describe } from "vitest"
import { find, flags } from "./ChromiumPath.ts"

/** `describe` for tests that need a browser: skipped with a warning where there is none; in CI they fail. */
export const describeBrowser: (name: string, tests: () => void) => void = (name, tests) => {
  if (find() !== undefined || process.env["CI"] === "true") return void describe(name, tests)
  console.warn(`skipped "${name}": no Chromium found, set CHROMIUM_PATH`)
  describe.skip(name, tests)
}

const open = async (): Promise<Browser> => {
  const executablePath = find()
  if (executablePath === undefined) throw new Error("no Chromium found, set CHROMIUM_PATH")
  return chromium.launch({ executablePath, args: flags })
}

let opened: Promise<Browser> | undefined

// It would keep the process alive when the run that started it is killed.
process.once("disconnect", () => void opened?.then((browser) => browser.close()))

/** Milliseconds that an action or a load may take: more than a test has, so that only the limit of the test ends it. */
const patience = 300_000

/** A browser context that waits as long as the test does, closed with the scope. */
export const context = (browser: Browser, options: BrowserContextOptions = {}) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const opened = await browser.newContext(options)
      opened.setDefaultTimeout(patience)
      return opened
    }),
    (opened) => Effect.promise(() => opened.close())
  )

/** The browser of this process, for all its test files; it ends with the process. What they share ends with their contexts. */
export const launch: Effect.Effect<Browser> = Effect.promise(() => (opened = connected(opened)))

const connected = async (last: Promise<Browser> | undefined): Promise<Browser> => {
  const browser = await last
  return browser?.isConnected() === true ? browser : open()
}

/** A page with the errors and warnings of its console and its scripts. */
export interface Watched {
  readonly page: Page
  readonly complaints: ReadonlyArray<string>
}

/** A fresh page in its own context. */
export const watch = (browser: Browser, options: BrowserContextOptions = {}) =>
  context(browser, options).pipe(
    Effect.flatMap((opened) => Effect.promise(() => opened.newPage())),
    Effect.map((page): Watched => {
      const complaints: Array<string> = []
      page.on("pageerror", (error) => complaints.push(String(error)))
      page.on("console", (line) => {
        if (line.type() === "error" || line.type() === "warning") complaints.push(line.text())
      })
      return { page, complaints }
    })
  )

/** Runs an action that leads to another page, and waits until that page has loaded. */
export const navigate = async (page: Page, action: () => Promise<unknown>): Promise<void> => {
  await Promise.all([page.waitForEvent("load"), action()])
}

/** A phone by day and a wide screen by night. */
export const looks = [
  { name: "phone-light", width: 360, height: 740, colorScheme: "light" },
  { name: "wide-dark", width: 1440, height: 900, colorScheme: "dark" }
] as const

/** How many pixels of the page are beyond its width. */
export const overflow = (page: Page): Effect.Effect<number> =>
  Effect.promise(() => page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
