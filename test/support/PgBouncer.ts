// A real PgBouncer in front of a PostgreSQL server. Needs no test runner.
import { Effect, type Scope } from "effect"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Daemon from "./Daemon.ts"
import { folder } from "./NodeProcess.ts"

// PgBouncer refuses to run as root, and reads its files as the other user.
const ordinary = process.getuid?.() === 0 ? ["-u", "nobody"] : []

/** PgBouncer in front of the server on this port; `configuration` gets its own port, that one and the file of the users. */
export const start = (
  server: number,
  configuration: (port: number, server: number, users: string) => string
): Effect.Effect<Daemon.Daemon, never, Scope.Scope> =>
  Effect.gen(function* () {
    const own = yield* folder
    chmodSync(own, 0o755)
    const [file, users] = [join(own, "pgbouncer.ini"), join(own, "userlist.txt")]
    writeFileSync(users, '"postgres" ""\n')
    return yield* Daemon.start("pgbouncer", (port) => {
      writeFileSync(file, configuration(port, server, users))
      return ["-q", ...ordinary, file]
    })
  })
