// Programs that are restarted one after the other, and one that is killed, while visitors come.
import { Effect } from "effect"
import assert from "node:assert/strict"
import { eventually } from "../support/Eventually.ts"
import type { Process } from "../support/NodeProcess.ts"
import { processTree } from "../support/ProcessTree.ts"
import * as Load from "./Load.ts"
import * as People from "./People.ts"
import * as Rows from "./Rows.ts"
import { database, type Machine, type Site } from "./Site.ts"

// HAProxy sends it visitors again.
const visited = ({ says }: Process) => says(/"route":"\/account","status":200/)

const count = (load: Load.Load) => Effect.sync(() => load.outcomes.length)

/** Restarts the programs, one machine after the other, and puts the new ones into the list; no request fails. */
export const rolling = (site: Site, programs: Array<Process>, machines = site.machines) =>
  Effect.gen(function* () {
    const load = yield* Load.start(site.url, { visitors: 6, pause: 25 })
    yield* eventually(count(load), (seen) => seen > 60)
    for (const [index, { start }] of machines.entries()) {
      const program = programs[index]
      program?.signal("SIGTERM")
      if (program !== undefined) assert.deepEqual(yield* program.ended, { code: 0, signal: null })
      programs[index] = yield* Effect.tap(start, visited)
    }
    yield* load.stop
    assert.deepEqual(Load.failures(load.outcomes), [], "no request fails")
    return `${machines.length} programs were restarted under load: ${Load.summary(load.outcomes)}`
  })

/** Kills the program of a machine and puts the next one into the list; only requests that were in flight on it fail. */
export const killed = (site: Site, programs: Array<Process>) =>
  Effect.gen(function* () {
    const [machine] = site.machines
    const [program] = programs
    if (machine === undefined || program === undefined) return yield* Effect.dieMessage("no program runs")
    const visitors = 6
    const load = yield* Load.start(site.url, { visitors, pause: 25 })
    yield* eventually(count(load), (seen) => seen > 60)
    for (const pid of processTree(program.pid)) process.kill(pid, "SIGKILL")
    yield* program.ended
    const seen = load.outcomes.length
    yield* eventually(count(load), (now) => now > seen + 60)
    programs[0] = yield* Effect.tap(machine.start, visited)
    yield* load.stop
    const failed = Load.failures(load.outcomes)
    assert.ok(failed.length <= visitors, `${failed.length} requests failed: ${JSON.stringify(failed)}`)
    assert.deepEqual(Load.failures(load.outcomes.slice(seen + visitors)), [], "only what was in flight fails")
    return `a program was killed under load: ${Load.summary(load.outcomes)}`
  })

/** Kills a mail worker in the middle of a message; another machine sends it when the lease is over. */
export const takeover = (site: Site) =>
  Effect.gen(function* () {
    const waiting = Rows.count(
      site.direct(database),
      "SELECT count(*) AS count FROM jobs WHERE queue = 'mail' AND state <> 'done'"
    )
    const drain = (machine: Machine) => machine.command("queue", "run", "mail")
    const [first, second] = site.machines
    if (first === undefined || second === undefined) return yield* Effect.dieMessage("a site has two machines")
    yield* Effect.scoped(
      Effect.zipRight(
        drain(second),
        eventually(waiting, (left) => left === 0)
      )
    )
    const before = site.mail.received.length
    yield* Effect.sync(() => site.hold(true))
    const { email } = yield* People.registered(site.url)
    const worker = yield* drain(first)
    yield* eventually(Effect.sync(site.held), (held) => held > 0)
    worker.signal("SIGKILL")
    yield* worker.ended
    yield* Effect.sync(() => site.hold(false))
    yield* drain(second)
    yield* eventually(waiting, (left) => left === 0)
    const sent = site.mail.received.slice(before).filter(({ to }) => to.includes(email))
    assert.ok(sent.length >= 1, "the message was sent")
    return "a mail worker was killed in the middle of a message, and another machine has sent it"
  }).pipe(Effect.scoped)
