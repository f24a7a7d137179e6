// The database of a test through a real PgBouncer in transaction mode.
import { Effect, Redacted } from "effect"
import { inject } from "vitest"
import * as Configuration from "../scale/Configuration.ts"
import { TestDatabase } from "./Databases.ts"
import * as PgBouncer from "./PgBouncer.ts"

const server = () => Number(new URL(inject("postgresServer")).port)

/** The address of the test's database through PgBouncer; `change` edits its documented configuration. */
export const through = (change: (configuration: string) => string = (same) => same) =>
  Effect.gen(function* () {
    const { port } = yield* PgBouncer.start(server(), (...given) => change(Configuration.pgbouncer(...given)))
    const url = new URL((yield* TestDatabase).url)
    url.port = String(port)
    return Redacted.make(url.href)
  })

/** One connection to the server for all that the program opens: what one leaves behind, the next finds. */
export const single = (configuration: string) =>
  configuration.replace(/^default_pool_size = .*$/m, "default_pool_size = 1")
