import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Logger, Queue } from "effect"
import cluster from "node:cluster"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Workers from "../../../layers/server/internal/Workers.ts"
import { ticking } from "../../support/Eventually.ts"

/** The program of every worker, until the scope closes. */
const program = (text: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { exec } = cluster.settings
      const file = join(mkdtempSync(join(tmpdir(), "worker-")), "worker.cjs")
      writeFileSync(file, text)
      cluster.setupPrimary({ exec: file })
      return exec
    }),
    (exec) => Effect.sync(() => cluster.setupPrimary({ exec }))
  )

it.scoped("says again and again which worker does not begin to listen, and for how long", () =>
  Effect.gen(function* () {
    yield* program("setInterval(() => {}, 1_000_000)")
    const lines = yield* Queue.unbounded<string>()
    const fleet = Workers.supervise({
      count: 1,
      grace: "1 second",
      ready: () => Effect.void,
      crashed: () => Effect.void
    })
    const logger = Logger.make(({ message }) => lines.unsafeOffer(String(message)))
    const running = yield* Effect.forkScoped(Effect.provide(fleet, Logger.replace(Logger.defaultLogger, logger)))
    const said = yield* ticking(Queue.takeN(lines, 2))
    const [worker] = Object.values(cluster.workers ?? {})
    const of = `Worker ${worker?.id} (process ${worker?.process.pid})`
    expect([...said]).toEqual([`${of} has not begun to listen for 30 s.`, `${of} has not begun to listen for 60 s.`])
    yield* Fiber.interrupt(running)
    expect(worker?.isDead()).toBe(true)
  })
)
