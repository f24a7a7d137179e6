// The dashboard of the fleet: one page without external resources, and the socket that pushes its figures.
import { HttpLayerRouter, type HttpServerResponse } from "@effect/platform"
import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import { requireUser } from "../../routes/auth/Access.ts"
import * as Respond from "../../routes/session/Respond.ts"
import * as Texts from "../../routes/http/Texts.ts"
import * as WebSockets from "../../routes/session/WebSockets.ts"
import { Environment } from "../../src/config/Environment.ts"
import { type Html, html, unsafeRaw } from "../../src/http/Html.ts"
import type { Language } from "../../src/http/Languages.ts"
import { DemoTexts } from "../texts/DemoTexts.ts"
import { chart } from "./Chart.ts"
import * as DashboardAssets from "./DashboardAssets.ts"
import * as Figures from "./Figures.ts"
import * as History from "./History.ts"

const decimals = (value: number, locale: string): string =>
  value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })

const unitsIn = (locale: string) => ({
  count: (value: number) => decimals(value, locale),
  perSecond: (value: number) => `${decimals(value, locale)}/s`,
  perMinute: (value: number) => `${decimals(value * 60, locale)}/min`,
  milliseconds: (value: number) => `${decimals(value * 1000, locale)} ms`,
  percent: (value: number) => `${decimals(value * 100, locale)} %`,
  megabytes: (value: number) => `${decimals(value / 1e6, locale)} MB`,
  kilobytesPerSecond: (value: number) => `${decimals(value / 1e3, locale)} kB/s`
})

const charts = (points: ReadonlyArray<Figures.Point>, { locale, texts: textsOf }: Language): ReadonlyArray<Html> => {
  const units = unitsIn(locale)
  const { charts: texts, now, summary } = textsOf(DemoTexts).dashboard
  const { percentile, rate, share } = Figures
  const times = points.map(({ at }) => at)
  const width = Figures.width(points)
  const draw = (title: string, print: (value: number) => string, lines: Readonly<Record<string, Figures.Line>>) =>
    chart({
      title,
      print,
      times,
      width,
      now,
      summary,
      lines: Object.entries(lines).map(([name, values]) => ({ name, values }))
    })
  return [
    draw(texts.requests, units.perSecond, { [texts.received]: rate(points, ({ requests }) => requests) }),
    draw(texts.latency, units.milliseconds, {
      p50: percentile(points, 0.5),
      p95: percentile(points, 0.95),
      p99: percentile(points, 0.99)
    }),
    draw(texts.errors, units.percent, {
      [texts.serverErrors]: share(
        points,
        ({ errors }) => errors,
        ({ responses }) => responses
      )
    }),
    draw(texts.logins, units.perMinute, {
      [texts.accepted]: rate(points, ({ logins }) => logins),
      [texts.refused]: rate(points, ({ refusals }) => refusals)
    }),
    draw(texts.inFlight, units.count, { [texts.waiting]: points.map(({ inFlight }) => inFlight) }),
    draw(texts.traffic, units.kilobytesPerSecond, {
      [texts.sent]: rate(points, ({ sent }) => sent),
      [texts.received]: rate(points, ({ received }) => received)
    }),
    draw(texts.memory, units.megabytes, { [texts.allWorkers]: points.map(({ memory }) => memory) }),
    draw(texts.processor, units.percent, { [texts.oneCore]: rate(points, ({ processor }) => processor) }),
    draw(texts.delay, units.milliseconds, { [texts.slowest]: points.map(({ delay }) => delay) })
  ]
}

/** The part of the page that changes with the points. */
const main = (points: ReadonlyArray<Figures.Point>, language: Language): Html => {
  const last = points.at(-1)
  const { dashboard: texts } = language.texts(DemoTexts)
  return html`<main>
    <p class="faint">
      ${last === undefined ? texts.first : texts.fleet(last.workers, History.every)}
    </p>
    <div class="charts">${charts(points, language)}</div>
  </main>`
}

/** The page for these points. */
export const page = (points: ReadonlyArray<Figures.Point>, language: Language): Html => {
  const { dashboard: texts } = language.texts(DemoTexts)
  return html`<!doctype html>
    <html lang="${language.tag}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${texts.title}</title>
        <link rel="icon" href="data:," />
        <noscript><meta http-equiv="refresh" content="${History.every}" /></noscript>
        <style>${unsafeRaw(DashboardAssets.style)}</style>
      </head>
      <body>
        <header>
          <h1>${texts.heading}</h1>
          <p id="stale" role="status" hidden>${texts.stale}</p>
        </header>
        ${main(points, language)}
        <script>${unsafeRaw(DashboardAssets.script)}</script>
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

const show = Effect.gen(function* () {
  const { points } = yield* History.History
  return Respond.page(page(points(), yield* Texts.language), {
    headers: { "content-security-policy": contentSecurityPolicy, "cache-control": "no-store" }
  })
})

// What a client says is not listened to.
const push = Effect.gen(function* () {
  const { changes } = yield* History.History
  const language = yield* Texts.language
  return yield* WebSockets.response((socket) =>
    Effect.gen(function* () {
      const write = yield* socket.writer
      const sending = Stream.runForEach(changes, (points) => write(main(points, language).markup))
      yield* Effect.raceFirst(
        socket.runRaw(() => undefined),
        sending
      )
    })
  )
})

/** Public in development; elsewhere for signed-in users. */
const restricted = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
  const guarded = requireUser(handler)
  return Effect.gen(function* () {
    return (yield* Environment) === "development" ? yield* handler : yield* guarded
  })
}

export const routes = [
  HttpLayerRouter.route("GET", "/metrics/dashboard", restricted(show)),
  WebSockets.route({ maxMessage: "1 KiB" })(HttpLayerRouter.route("GET", DashboardAssets.live, restricted(push)))
]
