import { describe, expect, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Demo from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number)

/** What a newer version of the program does to the database. */
const migrate = (storage: string) =>
  Effect.sync(() => {
    const database = new Sqlite(join(storage, "demo.sqlite"))
    database.exec("INSERT INTO program_migrations (migration_id, name) VALUES (42, 'tags')")
    database.close()
  })

const line =
  "The database was migrated by a newer version: it has program 0042_tags, which this one does not know. " +
  "Start the newer version, or set DATABASE_ALLOW_NEWER=1 to run this one on the newer schema (see effect-framework/docs/troubleshooting.md#a-newer-schema)\n"

const servingPids = (url: string) =>
  Effect.promise(async () => {
    const send = async (): Promise<number> => {
      const response = await fetch(`${url}/health`, { headers: { connection: "close" } })
      return JSON.parse(await response.text()).pid
    }
    return new Set(await Promise.all(Array.from({ length: 16 }, send)))
  })

describe("the demo on a database that a newer version has migrated", () => {
  it.scopedLive(
    "goes on serving and replaces a worker that dies, but does not start again until it is allowed to",
    () =>
      Effect.gen(function* () {
        const storage = yield* Demo.folder
        const demo = yield* Demo.demo({ STORAGE_DIR: storage, WORKERS: "2" })
        yield* migrate(storage)
        const [victim = 0] = childrenOf(demo.pid)
        process.kill(victim, "SIGKILL")
        const living = yield* eventually(
          Effect.sync(() => childrenOf(demo.pid)),
          (pids) => pids.length === 2 && !pids.includes(victim)
        )
        yield* eventually(servingPids(demo.url), (pids) => living.every((pid) => pids.has(pid)))
        yield* demo.says(/This version runs on the schema of a newer one, with program 0042_tags/)
        demo.signal("SIGTERM")
        yield* demo.ended

        for (const args of [Demo.main(), Demo.command("migrate"), Demo.command("seed")]) {
          const refused = yield* Demo.start(args, { PORT: "0", STORAGE_DIR: storage })
          expect((yield* refused.ended).code).toBe(255)
          const { stderr, stdout } = refused.output()
          expect([stdout, args.length === 1 ? Demo.refusalOf(stderr) : stderr]).toEqual(["", line])
        }

        const allowed = yield* Demo.demo({ STORAGE_DIR: storage, DATABASE_ALLOW_NEWER: "1" })
        expect((yield* Effect.promise(() => fetch(`${allowed.url}/readyz`))).status).toBe(200)
        yield* allowed.says(/This version runs on the schema of a newer one/)
      }),
    240_000
  )
})
