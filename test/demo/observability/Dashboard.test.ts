import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, TestClock } from "effect"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { ceiling, chart } from "../../../demo/observability/Chart.ts"
import * as Dashboard from "../../../demo/observability/Dashboard.ts"
import * as Figures from "../../../demo/observability/Figures.ts"
import * as History from "../../../demo/observability/History.ts"
import * as Logins from "../../../demo/observability/Logins.ts"
import * as Argon2Password from "../../../layers/auth/Argon2Password.ts"
import * as SqlAuthentication from "../../../layers/auth/SqlAuthentication.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as WebServer from "../../../layers/server/WebServer.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as PasswordHash from "../../../src/auth/internal/passwords/PasswordHash.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import type { Name } from "../../../src/config/Environment.ts"
import * as DefaultLayout from "../../../src/http/DefaultLayout.ts"
import { Fleet, type FleetSnapshot } from "../../../src/observability/Fleet.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import * as RequestEvents from "../../../src/observability/RequestEvents.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Axe from "../../support/Axe.ts"
import * as Browser from "../../support/Browser.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import { sqlite } from "../../support/Databases.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Serving from "../../support/Serving.ts"
import * as WebSocketClient from "../../support/WebSocketClient.ts"

const reading = (
  name: string,
  type: "counter" | "gauge",
  values: ReadonlyArray<readonly [Record<string, string>, number]>
): Snapshot.Reading => ({
  name,
  type,
  help: "",
  series: values.map(([labels, value]) => ({ labels: Labels.of(labels), value }))
})

/** A fleet that has done this much by then. */
const snapshot = (at: number, done: number): Snapshot.Snapshot =>
  Snapshot.make(at, [
    reading("http_requests_total", "counter", [[{}, done]]),
    reading("http_responses_total", "counter", [
      [{ class: "2xx" }, done * 0.9],
      [{ class: "5xx" }, done * 0.1]
    ]),
    reading("logins_total", "counter", [
      [{ outcome: "success" }, done / 10],
      [{ outcome: "failure" }, done / 20],
      [{ outcome: "limited" }, done / 20]
    ]),
    reading("http_bytes_read_total", "counter", [[{ pid: "1" }, done * 100]]),
    reading("http_bytes_written_total", "counter", [
      [{ pid: "1" }, done * 1000],
      [{ pid: "2" }, done * 500]
    ]),
    reading("process_cpu_seconds_total", "counter", [[{ pid: "1" }, done / 1000]]),
    reading("process_memory_bytes", "gauge", [
      [{ pid: "1" }, 100],
      [{ pid: "2" }, 50]
    ]),
    reading("process_uptime_seconds", "gauge", [
      [{ pid: "1" }, 9],
      [{ pid: "2" }, 9]
    ]),
    reading("runtime_event_loop_delay_seconds", "gauge", [
      [{ pid: "1" }, 0.01],
      [{ pid: "2" }, 0.04]
    ]),
    reading("http_requests_in_flight", "gauge", [[{}, 3]]),
    {
      name: "http_request_duration_seconds",
      type: "histogram",
      help: "",
      series: [{ labels: Labels.of({}), bounds: [0.1, 0.2], counts: [done / 2, done], sum: 1, count: done }]
    }
  ])

const points = [0, 5, 10, 15].map((at) => Figures.point(snapshot(at, at * 20)))

describe("the figures of the dashboard", () => {
  it("add up the workers, and take the slowest event loop", () => {
    expect(points[1]).toMatchObject({ memory: 150, workers: 2, delay: 0.04, inFlight: 3, logins: 10, refusals: 10 })
    expect(points[1]).toMatchObject({ received: 10_000, sent: 150_000, processor: 0.1 })
  })

  it("are zero for a fleet that has measured nothing", () => {
    expect(Figures.point(Snapshot.make(1, []))).toMatchObject({ requests: 0, memory: 0, delay: 0, workers: 0 })
  })

  it("are rates over the ten seconds in which every worker reports", () => {
    expect(Figures.rate(points, ({ requests }) => requests)).toEqual([undefined, 20, 20, 20])
  })

  it("never show a rate below zero", () => {
    const fallen = [Figures.point(snapshot(0, 100)), Figures.point(snapshot(10, 20))]
    expect(Figures.rate(fallen, ({ requests }) => requests)).toEqual([undefined, 0])
  })

  it.each([
    [0, 60],
    [60, 60],
    [61, 120],
    [121, 300],
    [595, 600],
    [900, 600]
  ])("of the last %d seconds stand on a chart of %d", (age, width) => {
    expect(Figures.width([Figures.point(snapshot(1000, 1)), Figures.point(snapshot(1000 + age, 2))])).toBe(width)
  })

  it("are shares of what grew", () => {
    const errors = Figures.share(
      points,
      (point) => point.errors,
      (point) => point.responses
    )
    expect(errors.map((share) => share?.toFixed(3))).toEqual([undefined, "0.100", "0.100", "0.100"])
  })

  it("are percentiles as Prometheus works them out", () => {
    expect(Figures.percentile(points, 0.5)[3]).toBeCloseTo(0.1)
    expect(Figures.percentile(points, 0.75)[3]).toBeCloseTo(0.15)
    expect(Figures.percentile(points, 1)[3]).toBeCloseTo(0.2)
    expect(
      Figures.percentile(
        [points[0], points[0]].flatMap((point) => point ?? []),
        0.5
      )
    ).toEqual([undefined, undefined])
  })
})

describe("a chart", () => {
  it.prop(
    "ends its axis at a round number that is enough",
    [FastCheck.double({ min: 1e-9, max: 1e12, noNaN: true })],
    ([value]) => {
      const top = ceiling(value)
      expect(top).toBeGreaterThanOrEqual(value)
      expect(top).toBeLessThan(value * 10.1)
      expect(["1", "2", "5"]).toContain(top.toExponential(0)[0])
    }
  )

  it("leaves a gap where there is nothing, and escapes its words", () => {
    const drawn = chart({
      title: "<b>",
      print: String,
      times: [0, 1, 2, 3],
      width: 3,
      lines: [{ name: "&", values: [1, undefined, 2, 1] }]
    }).markup
    expect(drawn).toMatch(/d="M[\d.]+ [\d.]+M[\d.]+ [\d.]+L[\d.]+ [\d.]+"/)
    expect(drawn).toContain("&lt;b&gt;")
    expect(drawn).not.toContain("<b>&lt;")
    expect(drawn).not.toMatch(/NaN|undefined|Infinity/)
  })
})

/** A fleet that does a hundred requests with each look at it. */
const busyFleet = Layer.sync(Fleet, () => {
  let looks = 0
  const gather = Effect.sync((): FleetSnapshot => ({ snapshot: snapshot(++looks * 5, looks * 100), started: 0 }))
  return { gather, dump: Effect.void, retire: () => Effect.void, aggregate: () => Effect.succeed(Snapshot.make(0, [])) }
})

describe("the history", () => {
  it.effect("has a point every five seconds, for ten minutes", () =>
    Effect.gen(function* () {
      const { points } = yield* History.History
      yield* TestClock.adjust("20 seconds")
      expect(points().map(({ at }) => at)).toEqual([5, 10, 15, 20, 25])
      yield* TestClock.adjust("20 minutes")
      expect(points()).toHaveLength(120)
    }).pipe(Effect.provide(History.layer.pipe(Layer.provide(busyFleet))))
  )
})

describe("logins", () => {
  it.effect("are counted from the responses to the login form only", () =>
    Effect.gen(function* () {
      const events = yield* RequestEvents.RequestEvents
      const { gather } = yield* Observability
      const handled = (method: string, route: string, status: number | undefined) =>
        events.handled({ id: "", at: 0, method, route, status, duration: 0, aborted: status === undefined })
      for (const status of [303, 200, 401, 401, 429, 503, 422, undefined]) handled("POST", "/login", status)
      handled("GET", "/login", 200)
      handled("POST", "/register", 303)
      const series = (yield* gather).metrics.get("logins_total")?.series
      expect(series).toMatchObject([{ value: 2 }, { value: 1 }, { value: 2 }, { value: 1 }])
      expect(series?.map(({ labels }) => labels.text)).toEqual([
        'outcome="failure"',
        'outcome="limited"',
        'outcome="success"',
        'outcome="unavailable"'
      ])
    }).pipe(
      Effect.provide(
        Logins.layer.pipe(
          Layer.provideMerge(Layer.merge(WorkerObservability.layerWith({ collectors: false }), RequestEvents.layer))
        )
      )
    )
  )
})

const serving = (environment: Name) =>
  WebServer.layer(Pipeline.app(Pipeline.pages(Dashboard.routes)), { host: "127.0.0.1", port: 0 }).pipe(
    Layer.provide(SqlAuthentication.layerWithoutSweeper()),
    Layer.provide(Layer.mergeAll(Argon2Password.layer, History.layer, DefaultLayout.layer({ name: "Test" }))),
    Layer.provide(AuthConfig.layerWith({ appUrl: "http://localhost", argon2: PasswordHash.minimumPolicy })),
    Layer.provide(Layer.mergeAll(busyFleet, Serving.support({ environment }), Serving.messages, sqlite.layer))
  )

describe("GET /metrics/dashboard", () => {
  it.scopedLive("is open in development: one page that needs nothing but itself", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const response = yield* TestClient.make(url).get("/metrics/dashboard")
      expect(response.status).toBe(200)
      expect(response.headers.get("cache-control")).toBe("no-store")
      expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'.*script-src 'sha256-/)
      expect(Array.from(response.body.matchAll(/<h2>(.*?)<\/h2>/g), ([, title]) => title)).toEqual([
        "Requests",
        "Latency",
        "Errors",
        "Logins",
        "In flight",
        "Traffic",
        "Memory",
        "Processor",
        "Event-loop delay"
      ])
      expect(response.body).not.toMatch(/<link[^>]+(?:https?:)?\/\/|src=/)
    }).pipe(Effect.provide(serving("development")))
  )

  it.scopedLive("pushes what changes with every point, and to nobody but a page of its own", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const path = `${url}/metrics/dashboard/live`
      const client = yield* WebSocketClient.open(path, { origin: url })
      expect(client.status).toBe(101)
      client.send("a word that nobody hears")
      expect(yield* client.next).toMatch(/^<main>[^]*<h2>Requests<\/h2>[^]*<\/main>$/)
      expect((yield* WebSocketClient.open(path, { origin: "https://evil.example" })).status).toBe(403)
      expect((yield* TestClient.make(url).get("/metrics/dashboard/live")).status).toBe(426)
    }).pipe(Effect.provide(serving("development")))
  )

  it.scopedLive.each(["production", "staging", "test"] as const)(
    "leads a guest to the sign-in page in %s",
    (environment) =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        const response = yield* TestClient.make(url).get("/metrics/dashboard")
        expect([response.status, response.location]).toEqual([303, "/login"])
        const { status } = yield* WebSocketClient.open(`${url}/metrics/dashboard/live`, { origin: url })
        expect(status).toBe(401)
      }).pipe(Effect.provide(serving(environment)))
  )
})

const screenshots = fileURLToPath(new URL("../../browser/screenshots/", import.meta.url))

/** How many messages the sockets of the page have got. */
const received = (page: Page) => {
  let count = 0
  page.on("websocket", (socket) => socket.on("framereceived", () => ++count))
  return () => count
}

Browser.describeBrowser("the dashboard in a browser", () => {
  it.scopedLive(
    "fetches itself without a socket, and says when the server does not respond",
    () =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        const { complaints, page } = yield* Browser.watch(yield* Browser.launch)
        yield* Effect.promise(async () => {
          await page.clock.install()
          await page.routeWebSocket(/./, (socket) => void socket.close())
          await page.goto(`${url}/metrics/dashboard`)
          await page.evaluate("document.querySelector('main').textContent = 'old figures'")
          await page.clock.runFor("00:06")
          await page.locator("main svg").first().waitFor()
          expect(complaints).toEqual([])
          await page.route("**/*", (route) => route.abort())
          await page.clock.runFor("00:06")
          await page.locator("#stale").waitFor({ state: "visible" })
          await page.unroute("**/*")
          await page.clock.runFor("00:06")
          await page.locator("#stale").waitFor({ state: "hidden" })
        })
      }).pipe(Effect.provide(serving("development"))),
    240_000
  )

  it.scopedLive.each([
    { name: "wide-light", width: 1440, colorScheme: "light" },
    { name: "phone-dark", width: 360, colorScheme: "dark" }
  ] as const)(
    "draws, keeps drawing, passes axe and complains of nothing: $name",
    ({ colorScheme, name, width }) =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        const browser = yield* Browser.launch
        const { complaints, page } = yield* Browser.watch(browser, { viewport: { width, height: 900 }, colorScheme })
        const frames = received(page)
        yield* Effect.promise(() => page.goto(`${url}/metrics/dashboard`))
        const line = () => page.locator("svg path").first().getAttribute("d")
        const first = yield* Effect.promise(line)
        expect(yield* Axe.violations(page)).toEqual([])
        // A new point every five seconds, and the socket pushes as often.
        yield* eventually(Effect.promise(line), (path) => path !== first && path?.includes("L") === true)
        yield* eventually(Effect.sync(frames), (count) => count > 1)
        expect(yield* Browser.overflow(page)).toBeLessThanOrEqual(0)
        expect(yield* Axe.violations(page)).toEqual([])
        yield* Effect.promise(() => page.screenshot({ path: `${screenshots}dashboard-${name}.png`, fullPage: true }))
        expect(complaints).toEqual([])
      }).pipe(Effect.provide(serving("development"))),
    240_000
  )
})
