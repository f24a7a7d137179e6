// The dashboard and the alerts of docs/: they are understood by Prometheus, and ask for what the demo measures.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as TestClient from "../../../testing/TestClient.ts"
import { conflictsTotal } from "../../../src/observability/internal/InstrumentRules.ts"
import * as Exposition from "../../src/observability/Exposition.ts"
import { postgres, TestDatabase } from "../../support/Databases.ts"
import * as Demo from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"
import * as PrometheusServer from "./PrometheusServer.ts"

interface Panel {
  readonly title: string
  readonly targets: ReadonlyArray<{ readonly expr: string }>
}

const docs = (name: string): string => join(Demo.root, "docs", name)

const dashboard: { readonly panels: ReadonlyArray<Panel> } = JSON.parse(readFileSync(docs("grafana.json"), "utf8"))

const panels = dashboard.panels.flatMap(({ targets, title }) => targets.map(({ expr }) => ({ title, expr })))

const alerts = readFileSync(docs("alerts.yml"), "utf8")

/** The alerts and recording rules: each expression is one line. */
const rules = [...alerts.matchAll(/^ {6}- (?:alert|record): (\S+)\n {8}expr: (.+)$/gm)].map(
  ([, title = "", expr = ""]) => ({ title, expr })
)

const words = new Set(["and", "or", "unless", "on", "ignoring"])

/** The names of the series of a query, without those of functions, labels and durations. */
const seriesOf = (expr: string): ReadonlyArray<string> =>
  [
    ...expr
      .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby \([^)]*\)/g, " ")
      .matchAll(/(?<![\w:.])[a-z_:][\w:]*(?![\w:])(?!\s*\()/g)
  ]
    .map(([name]) => name)
    .filter((name) => !words.has(name))

describe("the names in a query", () => {
  it.each([
    ['sum by (le) (rate(a_bucket{job="$job",class="5xx"}[$__rate_interval])) * 60', ["a_bucket"]],
    ['up{job="demo"} == 0 or absent(up{job="demo"})', ["up", "up"]],
    ["job:a:ratio_1h > 14.4 * 0.001 and job:a:ratio_5m > 1e3", ["job:a:ratio_1h", "job:a:ratio_5m"]]
  ])("of %s are found", (expr, names) => {
    expect(seriesOf(expr)).toEqual(names)
  })
})

describe("docs/grafana.json and docs/alerts.yml", () => {
  it.scopedLive("ask for nothing that the demo does not measure", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const demo = yield* Demo.demo({
        DATABASE_URL: url,
        MAIL_HOST: "127.0.0.1",
        MAIL_QUEUE: "1",
        // Nobody listens there.
        AUTH_OIDC_ID: "app",
        AUTH_OIDC_SECRET: "secret",
        AUTH_OIDC_ISSUER: "http://127.0.0.1:9",
        AUTH_OIDC_NETWORK: "loopback"
      })
      const http = TestClient.make(demo.url)
      // Over the limit of sign-ins, which are counted from then on.
      for (let attempt = 0; attempt < 6; attempt++) {
        yield* http.get("/login")
        yield* http.submit("/login", { email: "ann@example.com", password: "a wrong password" })
      }
      const { body } = yield* eventually(
        http.get("/metrics"),
        (page) =>
          page.body.includes('rate_limit_refusals_total{limit="login"} 1') &&
          page.body.includes('auth_provider_unavailable{provider="oidc"} 1')
      )
      expect(body).toContain('auth_provider_returns_total{outcome="configuration",provider="oidc"} 0')
      expect(body).toContain('http_route_duration_seconds_bucket{class="4xx",method="POST",route="/login"')
      expect(body).toContain('auth_sign_ins_total{outcome="failure"} 5')
      expect(body).toContain('rate_limit_refusals_total{limit="forgot"} 0')
      expect(body).toContain(`${conflictsTotal} 0`)
      const recorded = rules.map(({ title }) => title)
      // Prometheus itself makes `up`.
      // The demo has no jobs; `JobMetrics.test.ts` reads theirs.
      const known = new Set([...Exposition.parse(body).keys(), ...recorded, "up", "jobs", "jobs_oldest_seconds"])
      for (const { expr, title } of [...panels, ...rules]) {
        const names = seriesOf(expr).map((name) => name.replace(/_(?:bucket|count|sum)$/, ""))
        expect(names, title).not.toEqual([])
        for (const name of names) expect(known, title).toContain(name)
      }
      for (const { expr, title } of panels) expect(expr, title).toContain('{job="$job"')
    }).pipe(Effect.provide(postgres.layer))
  )

  it("have a severity, a summary and a description for each alert", () => {
    const each = alerts.split("- alert: ").slice(1)
    expect(each).toHaveLength(16)
    for (const alert of each) {
      expect(alert).toMatch(/^ {8}labels: \{ severity: (?:critical|warning) \}$/m)
      expect(alert).toMatch(/^ {10}summary: \S/m)
      expect(alert).toMatch(/^ {10}description: \S/m)
    }
  })
})

const promtool = (...words: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync("promtool", words, { encoding: "utf8" })
  return { status, stderr, stdout }
}

PrometheusServer.describeWith("promtool", "the queries of docs/grafana.json", () => {
  it.scopedLive("are understood by Prometheus", () =>
    Effect.gen(function* () {
      const records = panels.map(({ expr }, index) => ({
        record: `panel:${index}`,
        expr: expr.replaceAll("$__rate_interval", "1m").replaceAll("$job", "demo")
      }))
      const file = join(yield* Demo.folder, "rules.yml")
      // JSON is YAML.
      writeFileSync(file, JSON.stringify({ groups: [{ name: "dashboard", rules: records }] }))
      expect(promtool("check", "rules", file)).toMatchObject({ status: 0, stderr: "" })
    })
  )
})

PrometheusServer.describeWith("promtool", "the configuration in docs", () => {
  it.each([
    ["config", docs("examples/prometheus.yml")],
    ["rules", docs("alerts.yml")]
  ])("is understood by Prometheus: %s", (kind, file) => {
    expect(promtool("check", kind, file)).toMatchObject({ status: 0, stderr: "" })
  })

  it("alerts when it should and not otherwise", () => {
    const { status, stderr, stdout } = promtool("test", "rules", join(import.meta.dirname, "alerts.test.yml"))
    expect(status, stdout + stderr).toBe(0)
  })
})
