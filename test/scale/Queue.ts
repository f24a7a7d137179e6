// The mail queue with a worker on every machine.
import { Effect } from "effect"
import assert from "node:assert/strict"
import { eventually } from "../support/Eventually.ts"
import * as People from "./People.ts"
import * as Rows from "./Rows.ts"
import { database, type Site } from "./Site.ts"

const recipients = ({ mail }: Site): ReadonlyArray<string> => mail.received.flatMap(({ to }) => to)

const waiting = (site: Site) =>
  Rows.count(site.direct(database), "SELECT count(*) AS count FROM jobs WHERE queue = 'mail' AND state <> 'done'")

/** Messages that any machine has queued are sent once by the workers of all of them. */
export const queue = (site: Site, messages = 12) =>
  Effect.gen(function* () {
    const urls = site.machines.map((machine) => machine.url)
    const people = yield* Effect.forEach(
      Array.from({ length: messages }, (_, index) => urls[index % urls.length] ?? site.url),
      (url) => People.registered(url),
      { concurrency: 3 }
    )
    const emails = people.map(({ email }) => email)
    // The message is queued after the response.
    yield* eventually(waiting(site), (count) => count >= messages)
    const workers = yield* Effect.forEach(site.machines, ({ command }) => command("queue", "run", "mail"), {
      concurrency: "unbounded"
    })
    yield* eventually(waiting(site), (count) => count === 0)
    for (const worker of workers) worker.signal("SIGTERM")
    const ends = yield* Effect.forEach(workers, ({ ended }) => ended)
    assert.deepEqual(
      ends.map(({ code }) => code),
      workers.map(() => 0)
    )
    const sent = recipients(site).filter((email) => emails.includes(email))
    assert.deepEqual([...sent].sort(), [...emails].sort())
    return `${messages} messages of ${urls.length} machines were sent once each by ${workers.length} workers`
  }).pipe(Effect.scoped)
