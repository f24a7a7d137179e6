// A program's own command: made with `@effect/cli`, on the settings and the database of the program.
import { Args, Command } from "@effect/cli"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Console, Data, Effect, Layer } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { executeCommand } from "../../app/CommandLine.ts"
import { CurrentConfig, type Options } from "../../app/Program.ts"
import * as ConfiguredMailer from "../../layers/mail/ConfiguredMailer.ts"
import { Transport } from "../../src/mail/MailConfig.ts"
import { Mailer } from "../../src/mail/Mailer.ts"
import * as Demo from "../support/Demo.ts"
import { messageTo } from "../support/Messages.ts"
import { printed } from "../support/Printed.ts"

class NoSuchTea extends Data.TaggedError("NoSuchTea")<{ readonly name: string }> {}

const teas = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE teas (name TEXT NOT NULL)`
  yield* sql`INSERT INTO teas VALUES ('assam')`
})

const brew = Command.make("brew", { name: Args.text({ name: "tea" }) }, ({ name }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { environment } = yield* CurrentConfig
    const found = yield* sql`SELECT name FROM teas WHERE name = ${name}`
    if (found.length === 0) return yield* new NoSuchTea({ name })
    yield* Console.log(`${name} is ready (${environment})`)
  })
)

const program = {
  name: "teapot",
  app: async () => ({ migrations: { "0001_teas": teas }, layer: () => Layer.die("it does not serve here") }),
  commands: async () => [brew]
} satisfies Options<unknown, unknown>

const run = (storage: string, ...args: ReadonlyArray<string>) => runProgram(program, storage, args)

const runProgram = <E, E2, E3>(program: Options<E, E2, E3>, storage: string, args: ReadonlyArray<string>) =>
  Effect.withConfigProvider(
    printed(executeCommand(program, args)),
    ConfigProvider.fromMap(
      new Map([
        ["STORAGE_DIR", storage],
        ["FRAMEWORK_ENVIRONMENT", "test"]
      ])
    )
  )

describe("a command of the program", () => {
  it.scopedLive("has the settings as the program has changed them", () =>
    Effect.gen(function* () {
      const changed: Options<unknown, unknown> = {
        ...program,
        settings: (read) => ({ ...read, environment: "staging" })
      }
      expect((yield* runProgram(changed, yield* Demo.folder, ["brew", "assam"])).out).toBe("assam is ready (staging)")
    })
  )

  it.scopedLive("stores messages by them, and queue run mail sends what it has stored", () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      const folder = join(storage, "sent")
      const order = Command.make("order", {}, () =>
        Effect.gen(function* () {
          const { mail } = yield* CurrentConfig
          const { send } = yield* Effect.provide(Mailer, ConfiguredMailer.layerWith(mail))
          yield* Effect.orDie(send(messageTo("ann@example.com")))
        })
      )
      const changed: Options<unknown, unknown> = {
        ...program,
        commands: async () => [order],
        settings: ({ mail, ...read }) => {
          const transport = Transport.Queue({ delivery: Transport.File({ folder }) })
          return { ...read, mail: { ...mail, transport } }
        }
      }
      expect((yield* runProgram(changed, storage, ["order"])).status).toBe(0)
      expect(existsSync(folder)).toBe(false)
      expect((yield* runProgram(changed, storage, ["queue", "run", "mail", "--once"])).status).toBe(0)
      expect(readdirSync(folder)).toHaveLength(1)
    })
  )

  it.scopedLive("has the settings, and the database with the program's migrations", () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      expect(yield* run(storage, "brew", "assam")).toEqual({ status: 0, out: "assam is ready (test)", error: "" })
      expect(existsSync(join(storage, "teapot.sqlite"))).toBe(true)
      expect((yield* run(storage, "migrate")).out).toBe("nothing to apply, the schema is up to date")
    })
  )

  it.scopedLive("uses the database that the program opens itself, as the other commands do", () =>
    Effect.gen(function* () {
      const storage = yield* Demo.folder
      const path = join(storage, "own.sqlite")
      const own = { ...program, database: () => SqliteClient.layer({ filename: path }) }
      expect((yield* runProgram(own, storage, ["brew", "assam"])).out).toBe("assam is ready (test)")
      expect((yield* runProgram(own, storage, ["migrate"])).out).toBe("nothing to apply, the schema is up to date")
      expect((yield* runProgram(own, storage, ["queue", "list"])).out).toBe("ready 0\ndelayed 0\nfailed 0")
      expect((yield* runProgram(own, storage, ["keys", "rotate"])).status).toBe(0)
      expect([existsSync(path), existsSync(join(storage, "teapot.sqlite"))]).toEqual([true, false])
    })
  )

  it.scopedLive("fails with its own error", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(run(yield* Demo.folder, "brew", "coffee"))).toEqual(new NoSuchTea({ name: "coffee" }))
    })
  )

  it.scopedLive("is in the help beside the others, and opens nothing for arguments that it does not take", () =>
    Effect.gen(function* () {
      const storage = join(yield* Demo.folder, "made")
      expect((yield* run(storage, "--help")).out).toMatch(/- migrate [\s\S]*- brew <tea>/)
      expect(yield* run(storage, "brew", "assam", "twice")).toMatchObject({ status: 2, out: "" })
      expect(yield* run(storage, "brew")).toMatchObject({ status: 2, out: "" })
      expect(existsSync(storage)).toBe(false)
    })
  )
})
