// Real traces of the demo, from a browser to the statements of the database and to the e-mail, for `docs/tracing.md`.
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import type { Page } from "playwright-core"
import * as OtlpReceiver from "../../test/support/OtlpReceiver.ts"
import type * as OtlpText from "../../test/support/OtlpText.ts"
import * as SmtpServer from "../../test/support/SmtpServer.ts"
import * as RunningDemo from "./RunningDemo.ts"

/** Where a span ran. */
export type Place = "browser" | "server" | "queue"

/** One span; times are milliseconds since the trace began. */
export interface TracedSpan {
  readonly name: string
  readonly place: Place
  /** The index of the parent. */
  readonly parent: number | undefined
  readonly start: number
  readonly duration: number
  readonly statement: string | undefined
}

/** One trace, in the order in which its spans began. */
export interface Trace {
  readonly title: string
  readonly spans: ReadonlyArray<TracedSpan>
}

interface Visit {
  readonly title: string
  readonly ids: { readonly trace: string; readonly span: string }
  /** Milliseconds since the epoch, as the browser measured them. */
  readonly start: number
  readonly end: number
}

/** Milliseconds of the navigation that led to this page, from its start to the end of its load. */
const navigation = `(async () => {
  const entry = performance.getEntriesByType("navigation")[0]
  while (entry.loadEventEnd === 0) await new Promise((done) => setTimeout(done, 5))
  return { start: performance.timeOrigin, end: performance.timeOrigin + entry.loadEventEnd }
})()`

/** A browser that names a trace in its requests, as the OpenTelemetry library for browsers does. */
const visit = async (page: Page, title: string, act: () => Promise<unknown>): Promise<Visit> => {
  const ids = { trace: randomBytes(16).toString("hex"), span: randomBytes(8).toString("hex") }
  await page.setExtraHTTPHeaders({ traceparent: `00-${ids.trace}-${ids.span}-01` })
  await Promise.all([page.waitForEvent("load"), act()])
  const times = await page.evaluate<{ readonly start: number; readonly end: number }>(navigation)
  await page.setExtraHTTPHeaders({})
  return { title, ids, ...times }
}

const fillIn = async (page: Page, baseURL: string, email: string): Promise<void> => {
  await page.goto(`${baseURL}/register`)
  await page.locator("[name=email]").fill(email)
  await page.locator("[name=password]").fill("a quiet harbour")
  await page.locator("[name=password_confirmation]").fill("a quiet harbour")
}

const submit = (page: Page): Promise<void> => page.locator("main form button[type=submit]").first().click()

const register = async (page: Page, baseURL: string): Promise<Visit> => {
  await fillIn(page, baseURL, "ada@example.com")
  return visit(page, "Signing up: from the form to the e-mail", () => submit(page))
}

const list = (page: Page, baseURL: string): Promise<Visit> =>
  visit(page, "A list of articles: from the address bar to the database", () => page.goto(`${baseURL}/articles?page=2`))

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100

const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** The spans of a visit. Files that the browser had not cached are left out. */
const toTrace = ({ end, ids, start, title }: Visit, spans: ReadonlyArray<OtlpText.Span>, queue: string): Trace => {
  const own = spans
    .filter(({ name, traceId }) => traceId === ids.trace && !name.startsWith("GET /assets"))
    .sort((a, b) => Number(a.start - b.start))
  const index = new Map([[ids.span, 0], ...own.map(({ spanId }, at) => [spanId, at + 1] as const)])
  const browser: TracedSpan = {
    name: "The browser loads the page",
    place: "browser",
    parent: undefined,
    start: 0,
    duration: rounded(end - start),
    statement: undefined
  }
  const others = own.map((span): TracedSpan => {
    const begun = Number(span.start) / 1e6
    return {
      name: span.name,
      place: String(span.resource["process.pid"]) === queue ? "queue" : "server",
      parent: index.get(span.parentSpanId ?? ""),
      start: rounded(Math.max(0, begun - start)),
      duration: rounded(Number(span.end - span.start) / 1e6),
      statement: textOf(span.attributes["db.query.text"])
    }
  })
  return { title, spans: [browser, ...others] }
}

const story = Effect.fnUntraced(function* (program: RunningDemo.Program) {
  const collector = yield* OtlpReceiver.receiver
  const smtp = yield* SmtpServer.serve()
  const variables = {
    STORAGE_DIR: yield* RunningDemo.temporary,
    MAIL_HOST: "127.0.0.1",
    MAIL_PORT: String(smtp.port),
    MAIL_SECURE: "none",
    MAIL_QUEUE: "1",
    FRAMEWORK_ENVIRONMENT: "development",
    // A cheaper hash, or it would be all that the picture shows.
    AUTH_ARGON2_MEMORY: "19456",
    AUTH_ARGON2_TIME: "2",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url
  }
  const demo = yield* RunningDemo.start(program, variables)
  const chrome = yield* RunningDemo.browser
  const visits = yield* Effect.promise(async () => {
    const open = async () => (await chrome.newContext()).newPage()
    // Once before, so that what is loaded with the first request is not in the picture.
    const first = await open()
    await first.goto(`${demo.url}/articles`)
    await fillIn(first, demo.url, "bea@example.com")
    await Promise.all([first.waitForURL("**/account"), submit(first)])
    const page = await open()
    await page.goto(`${demo.url}/articles`)
    return [await list(page, demo.url), await register(page, demo.url)]
  })
  yield* demo.stop
  const before = new Set(collector.spans.map(({ resource }) => String(resource["process.pid"])))
  yield* RunningDemo.command(program, ["queue", "run", "mail", "--once"], variables)
  const queue = collector.spans.map(({ resource }) => String(resource["process.pid"])).find((pid) => !before.has(pid))
  return visits.map((one) => toTrace(one, collector.spans, queue ?? ""))
})

/** Records them; needs Chromium. */
export const record = (program: RunningDemo.Program): Promise<ReadonlyArray<Trace>> =>
  Effect.runPromise(Effect.scoped(story(program)))
