// The dashboard of the fleet: one page without external resources.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { requireUser } from "../../routes/auth/Access.ts"
import * as Respond from "../../routes/http/Respond.ts"
import { Environment } from "../../src/errors/Environment.ts"
import { type Html, html, trusted } from "../../src/http/Html.ts"
import { chart } from "./Chart.ts"
import * as DashboardAssets from "./DashboardAssets.ts"
import * as Figures from "./Figures.ts"
import * as History from "./History.ts"

const decimals = (value: number): string =>
  value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })

const units = {
  count: decimals,
  perSecond: (value: number) => `${decimals(value)}/s`,
  perMinute: (value: number) => `${decimals(value * 60)}/min`,
  milliseconds: (value: number) => `${decimals(value * 1000)} ms`,
  percent: (value: number) => `${decimals(value * 100)} %`,
  megabytes: (value: number) => `${decimals(value / 1e6)} MB`,
  kilobytesPerSecond: (value: number) => `${decimals(value / 1e3)} kB/s`
}

const charts = (points: ReadonlyArray<Figures.Point>): ReadonlyArray<Html> => {
  const { percentile, rate, share } = Figures
  const times = points.map(({ at }) => at)
  const width = Figures.width(points)
  const draw = (title: string, print: (value: number) => string, lines: Readonly<Record<string, Figures.Line>>) =>
    chart({ title, print, times, width, lines: Object.entries(lines).map(([name, values]) => ({ name, values })) })
  return [
    draw("Requests", units.perSecond, { received: rate(points, ({ requests }) => requests) }),
    draw("Latency", units.milliseconds, {
      p50: percentile(points, 0.5),
      p95: percentile(points, 0.95),
      p99: percentile(points, 0.99)
    }),
    draw("Errors", units.percent, {
      "responses 5xx": share(
        points,
        ({ errors }) => errors,
        ({ responses }) => responses
      )
    }),
    draw("Logins", units.perMinute, {
      accepted: rate(points, ({ logins }) => logins),
      refused: rate(points, ({ refusals }) => refusals)
    }),
    draw("In flight", units.count, { requests: points.map(({ inFlight }) => inFlight) }),
    draw("Traffic", units.kilobytesPerSecond, {
      sent: rate(points, ({ sent }) => sent),
      received: rate(points, ({ received }) => received)
    }),
    draw("Memory", units.megabytes, { "all workers": points.map(({ memory }) => memory) }),
    draw("Processor", units.percent, { "of one core": rate(points, ({ processor }) => processor) }),
    draw("Event-loop delay", units.milliseconds, { "slowest worker": points.map(({ delay }) => delay) })
  ]
}

/** The page for these points. */
export const page = (points: ReadonlyArray<Figures.Point>): Html => {
  const last = points.at(-1)
  const workers = last?.workers === 1 ? "1 worker" : `${last?.workers ?? 0} workers`
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Fleet dashboard</title>
        <link rel="icon" href="data:," />
        <noscript><meta http-equiv="refresh" content="${History.every}" /></noscript>
        <style>${trusted(DashboardAssets.style)}</style>
      </head>
      <body>
        <header>
          <h1>Fleet</h1>
          <p id="stale" role="status" hidden>The server does not respond. These are the last known figures.</p>
        </header>
        <main>
          <p class="faint">
            ${last === undefined ? "The first figures appear in a few seconds." : html`${workers}, a point every ${History.every} seconds.`}
          </p>
          <div class="charts">${charts(points)}</div>
        </main>
        <script>${trusted(DashboardAssets.script)}</script>
      </body>
    </html>`
}

const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

/** Allows exactly this style and this script. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src ${hash(DashboardAssets.style)}`,
  `script-src ${hash(DashboardAssets.script)}`,
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const show = Effect.map(History.History, ({ points }) =>
  Respond.page(page(points()), {
    headers: { "content-security-policy": contentSecurityPolicy, "cache-control": "no-store" }
  })
)

const guarded = requireUser(show)

/** Public in development; elsewhere for signed-in users. */
export const routes = [
  HttpLayerRouter.route(
    "GET",
    "/metrics/dashboard",
    Effect.gen(function* () {
      return (yield* Environment) === "development" ? yield* show : yield* guarded
    })
  )
]
