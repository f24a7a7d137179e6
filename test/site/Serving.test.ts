// `npm run site` serves the pages while they are written, below any path.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { eventually } from "../support/Eventually.ts"
import { root, start } from "../support/NodeProcess.ts"

const tsx = join(root, "node_modules", "tsx", "dist", "cli.mjs")

describe("npm run site", () => {
  it.scopedLive("serves the pages, below the path that --base names", () =>
    Effect.gen(function* () {
      const words = [tsx, join(root, "site", "main.ts"), "--host", "127.0.0.1", "--base", "/guide/"]
      const site = yield* start(words, {}, root)
      const [, address = ""] = yield* site.says(/(http:\/\/127\.0\.0\.1:\d+\/guide\/)/)
      const page = yield* eventually(
        Effect.promise(async () => {
          const response = await fetch(`${address}mail.html`, { headers: { accept: "text/html" } })
          return { status: response.status, body: await response.text() }
        }),
        ({ status }) => status === 200
      )
      expect(page.body).toContain('src="/guide/@')
      const text = yield* Effect.promise(async () => (await fetch(`${address}mail.md`)).text())
      expect(text).toContain("The queue")
      // What it has started ends with it.
      site.signal("SIGTERM")
      yield* site.ended
    })
  )

  it.scopedLive("says what it can do, and ends with 2 for what it cannot", () =>
    Effect.gen(function* () {
      const help = yield* start([tsx, join(root, "site", "main.ts"), "--help"], {}, root)
      yield* help.says(/build .*--base \/PATH\/[^]*preview/)
      const unknown = yield* start([tsx, join(root, "site", "main.ts"), "brew"], {}, root)
      expect((yield* unknown.ended).code).toBe(2)
    })
  )
})
