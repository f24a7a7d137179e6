// Programs that start together on an empty database.
import { Effect } from "effect"
import assert from "node:assert/strict"
import { eventually } from "../support/Eventually.ts"
import * as Rows from "./Rows.ts"
import { database, type Site, status } from "./Site.ts"

/** Starts every program at once; each migration runs once, whoever is first. HAProxy has noticed when it ends. */
export const start = (site: Site) =>
  Effect.gen(function* () {
    const programs = yield* Effect.forEach(site.machines, ({ start }) => start, { concurrency: "unbounded" })
    const applied = yield* Rows.rows<{ readonly name: string }>(
      site.direct(database),
      "SELECT name FROM framework_migrations UNION ALL SELECT name FROM program_migrations"
    )
    const names = applied.map(({ name }) => name)
    assert.ok(names.length > 10, `${names.length} migrations`)
    assert.equal(new Set(names).size, names.length)
    for (const { output } of programs) assert.doesNotMatch(output().stderr, /"level":"ERROR"|pooler/)
    // A program that took longer to start than two checks is down for HAProxy until the next one.
    yield* eventually(status(`${site.url}/readyz`), (code) => code === 200)
    return programs
  })

/** Runs `migrate` on every machine at once, on an empty database; the names are printed by one of them alone. */
export const migrate = (site: Site) =>
  Effect.gen(function* () {
    yield* Rows.rows(site.direct("postgres"), "CREATE DATABASE empty")
    const runs = yield* Effect.forEach(
      site.machines,
      ({ migrate }) =>
        Effect.flatMap(migrate(site.pooled("empty")), ({ ended, output }) =>
          Effect.map(ended, (end) => ({ end, ...output() }))
        ),
      { concurrency: "unbounded" }
    )
    for (const { end, stderr } of runs) assert.equal(end.code, 0, stderr)
    const names = runs.flatMap(({ stdout }) => stdout.match(/\b\d{4}_\w+/g) ?? [])
    assert.ok(names.length > 10, `${names.length} migrations`)
    assert.equal(runs.filter(({ stdout }) => /\b\d{4}_\w+/.test(stdout)).length, 1)
    return `${names.length} migrations ran once, on one of ${runs.length} machines`
  }).pipe(Effect.scoped)
