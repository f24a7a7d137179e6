// Three built programs behind HAProxy, on one PostgreSQL behind PgBouncer: the part of `npm run scale` that is short.
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { join } from "node:path"
import { describeDaemons } from "../support/Haproxy.ts"
import * as Checks from "./Checks.ts"
import * as Migrations from "./Migrations.ts"
import * as Restarts from "./Restarts.ts"
import * as Site from "./Site.ts"

describeDaemons(["haproxy", "pgbouncer"], "Several machines", () => {
  const name = "share sessions, limits, the mail queue and migrations, and lose no request when one restarts"
  it.scopedLive(
    name,
    () =>
      Effect.gen(function* () {
        const site = yield* Site.make({ program: join(inject("demo"), "main.mjs"), workers: [1, 2, 1] })
        const programs = [...(yield* Migrations.start(site))]
        for (const { run } of Checks.functional) expect(yield* run(site, programs)).toMatch(/\w/)
        expect(yield* Restarts.rolling(site, programs, site.machines.slice(0, 1))).toContain("restarted")
      }),
    // A dozen programs start, more than in any other test.
    480_000
  )
})
