import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as TestClient from "../../testing/TestClient.ts"
import { demo, root } from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"

const failures = join(root, "demo", "Failures.ts")
const throwing = readFileSync(failures, "utf8")
  .split("\n")
  .findIndex((line) => line.includes("throws on purpose"))

describe("the failing routes of the demo", () => {
  it.scopedLive(
    "are shown in development, logged and counted",
    () =>
      Effect.gen(function* () {
        const { storage, url } = yield* demo({ FRAMEWORK_ENVIRONMENT: "development" })
        const client = TestClient.make(url)
        const page = yield* client.get("/error?token=canary-0123456789")
        expect(page.status).toBe(500)
        expect(page.body).toContain(`<mark class="l" data-n="${throwing + 1}">`)
        expect(page.body).not.toContain("canary")
        expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'nonce-\w+'/)
        const json = yield* client.request("/error", { headers: { accept: "application/json" } })
        expect(JSON.parse(json.body)).toMatchObject({ error: "Error", file: failures, line: throwing + 1 })
        const path = join(storage, "logs", "exceptions.log")
        const text = yield* eventually(
          Effect.sync(() => (existsSync(path) ? readFileSync(path, "utf8") : "")),
          (written) => written.split("\n").length === 3
        )
        expect(text).not.toContain("canary")
        const [first = ""] = text.split("\n")
        expect(JSON.parse(first)).toMatchObject({
          class: "Error",
          file: failures,
          line: throwing + 1,
          method: "GET",
          uri: "/error"
        })
        const metrics = yield* client.request("/metrics", { headers: { accept: "text/plain" } })
        expect(metrics.body).toContain('exceptions_total{class="Error"} 2')
      }),
    240_000
  )
})
