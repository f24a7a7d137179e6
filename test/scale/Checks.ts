// Everything that must hold on several machines, one after the other.
import type { Effect, Scope } from "effect"
import type { Process } from "../support/NodeProcess.ts"
import * as Limits from "./Limits.ts"
import * as Migrations from "./Migrations.ts"
import * as Outage from "./Outage.ts"
import * as Queue from "./Queue.ts"
import * as Restarts from "./Restarts.ts"
import * as Sessions from "./Sessions.ts"
import type { Site } from "./Site.ts"

/** One check; the sentence says what was found. */
export interface Check {
  readonly name: string
  readonly run: (site: Site, programs: Array<Process>) => Effect.Effect<string, never, Scope.Scope>
}

/** Those without load, for `npm run test:release` too. */
export const functional: ReadonlyArray<Check> = [
  { name: "migrations run once", run: Migrations.migrate },
  { name: "sessions are those of the site", run: Sessions.sessions },
  { name: "remembered devices are those of the site", run: Sessions.remembered },
  { name: "rate limits are those of the site", run: Limits.limits },
  { name: "queued mail is sent once", run: (site) => Queue.queue(site) }
]

/** Those that stop what runs, under load. They leave every program running. */
export const underLoad: ReadonlyArray<Check> = [
  { name: "a rolling restart fails no request", run: (site, programs) => Restarts.rolling(site, programs) },
  { name: "a killed program fails only what was in flight", run: Restarts.killed },
  { name: "a restart of the database is a 503", run: Outage.outage },
  { name: "the mail of a killed worker is sent", run: Restarts.takeover }
]
