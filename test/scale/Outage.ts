// PostgreSQL stops and starts while visitors come: nobody gets more than a 503, and everything recovers by itself.
import { Effect } from "effect"
import assert from "node:assert/strict"
import { eventually } from "../support/Eventually.ts"
import type { Process } from "../support/NodeProcess.ts"
import { processTree } from "../support/ProcessTree.ts"
import * as Load from "./Load.ts"
import * as People from "./People.ts"
import * as Rows from "./Rows.ts"
import { database, type Site, status } from "./Site.ts"

const readiness = ({ machines }: Site) =>
  Effect.forEach(machines, ({ url }) => status(`${url}/readyz`), { concurrency: "unbounded" })

const orphans = `SELECT
  (SELECT count(*) FROM sessions s LEFT JOIN users u ON u.id = s.user_id WHERE u.id IS NULL) +
  (SELECT count(*) FROM tokens t LEFT JOIN users u ON u.id = t.user_id WHERE u.id IS NULL) AS count`

const missing = (site: Site, emails: ReadonlyArray<string>) =>
  Effect.map(Rows.rows<{ readonly email: string }>(site.direct(database), "SELECT email FROM users"), (rows) => {
    const stored = new Set(rows.map(({ email }) => email))
    return emails.filter((email) => !stored.has(email))
  })

export const outage = (site: Site, programs: ReadonlyArray<Process>) =>
  Effect.gen(function* () {
    const processes = () => programs.flatMap(({ pid }) => processTree(pid))
    const before = processes()
    const load = yield* Load.start(site.url, { visitors: 6, pause: 25 })
    yield* eventually(
      Effect.sync(() => load.outcomes.length),
      (count) => count > 60
    )
    yield* Effect.promise(() =>
      site.postgres.restart(() =>
        Effect.runPromise(
          Effect.gen(function* () {
            yield* eventually(readiness(site), (all) => all.every((status) => status === 503))
            const seen = load.outcomes.length
            yield* eventually(
              Effect.sync(() => Load.failures(load.outcomes.slice(seen)).length),
              (count) => count > 20
            )
          })
        )
      )
    )
    yield* eventually(readiness(site), (all) => all.every((status) => status === 200))
    const recovered = yield* eventually(
      Effect.sync(() => load.outcomes.slice(-40)),
      (last) => Load.failures(last).length === 0
    )
    assert.equal(recovered.length, 40)
    yield* load.stop
    const odd = load.outcomes.filter(({ status }) => status === undefined || ![200, 303, 503].includes(status))
    assert.deepEqual(odd, [], "requests during the outage get 503 and nothing else")
    assert.deepEqual(processes(), before, "no process ended")
    assert.deepEqual(yield* missing(site, load.registered), [], "an account that was answered as made is there")
    assert.equal(yield* Rows.count(site.direct(database), orphans), 0, "no row without its account")
    for (const email of load.registered.slice(-3)) yield* People.signedIn(site.url, email)
    return `the database was restarted under load: ${Load.summary(load.outcomes)}`
  }).pipe(Effect.scoped)
