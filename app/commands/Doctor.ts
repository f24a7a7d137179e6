// The `doctor` command: looks at everything that a start needs, changes nothing, and says what to do.
import { Command } from "@effect/cli"
import type { SqlClient } from "@effect/sql"
import { Console, Effect, Either, identity, type Layer } from "effect"
import { existsSync } from "node:fs"
import * as CursorSignature from "../../layers/pagination/internal/CursorSignature.ts"
import * as AppConfig from "../../layers/server/AppConfig.ts"
import * as Storage from "../../layers/server/internal/Storage.ts"
import * as StartupLine from "../../src/config/internal/StartupLine.ts"
import type { Options } from "../Program.ts"
import * as Checks from "./Checks.ts"
import * as DatabaseChecks from "./DatabaseChecks.ts"
import * as Findings from "./Findings.ts"
import * as SecretChecks from "./SecretChecks.ts"
import type { CommandFailed } from "./Work.ts"

type Connection<E> = (settings: AppConfig.AppConfig) => Layer.Layer<SqlClient.SqlClient, E>

const width = Math.max(...Findings.subjects.map((subject) => subject.length)) + 2

const line = ({ said, status, subject }: Findings.Finding): string =>
  `${status.padEnd(5)} ${subject.padEnd(width)}${said}`

// The settings are read as a start reads them; the keys of cursors are those of a layer.
const read = <E, E2, E3>({ name, settings: change = identity, version }: Options<E, E2, E3>) =>
  Effect.either(
    Effect.zipLeft(AppConfig.config(name, version === undefined ? {} : { version }), CursorSignature.config)
  ).pipe(Effect.map(Either.map(change)))

const storage = (folder: string): Effect.Effect<Findings.Finding> =>
  Effect.match(Storage.look(folder), {
    onFailure: (error) => Findings.failed("storage", error),
    onSuccess: () => Findings.ok("storage", existsSync(folder) ? folder : `the first start makes ${folder}`)
  })

const database = <E, E2, E3, E4>(options: Options<E, E2, E3>, settings: AppConfig.AppConfig, own: Connection<E4>) =>
  Effect.gen(function* () {
    const { migrations = {}, tables } = yield* Effect.promise(options.app)
    const { database: url } = settings
    if (options.database !== undefined || url._tag === "Postgres") {
      return yield* DatabaseChecks.database(own(settings), { migrations, tables, file: undefined })
    }
    // The driver is native: a program on PostgreSQL does not load it.
    const SqliteLook = yield* Effect.promise(() => import("../../layers/database/internal/SqliteLook.ts"))
    return yield* DatabaseChecks.database(SqliteLook.layer(url.path), { migrations, tables, file: url.path })
  })

const examine = <E, E2, E3, E4>(options: Options<E, E2, E3>, connection: Connection<E4>) =>
  Effect.gen(function* () {
    const node = Checks.node(process.versions.node)
    const settings = yield* read(options)
    if (Either.isLeft(settings)) return [node, Findings.failed("settings", settings.left)]
    const { right: given } = settings
    const parts = yield* Effect.all(
      [
        Checks.packages(Checks.needed(given)),
        storage(given.server.storage),
        database(options, given, connection),
        Checks.mail(given),
        SecretChecks.providers(given),
        Checks.port(given.server),
        SecretChecks.secrets(given)
      ],
      { concurrency: "unbounded" }
    )
    const found = [
      node,
      Findings.ok("settings", `${given.environment}, ${given.auth.appUrl}`),
      ...parts.flat(),
      Checks.addresses(given),
      Checks.proxies(given)
    ]
    return Findings.subjects.flatMap((subject) => found.filter((one) => one.subject === subject))
  })

/** `doctor`: one line for each subject; status 1 when something must be done. */
export const command = <E, E2, E3, E4>(
  finish: <Failure>(work: Effect.Effect<number, Failure>) => Effect.Effect<void, Failure | CommandFailed>,
  options: Options<E, E2, E3>,
  connection: Connection<E4>
) =>
  Command.make("doctor", {}, () =>
    finish(
      Effect.gen(function* () {
        const findings = yield* examine(options, connection)
        for (const finding of findings) yield* Console.log(line(finding))
        const open = findings.filter(({ status }) => status === "fix").length
        yield* Console.log(open === 0 ? "\nNothing must be done." : `\n${open} to fix. See ${StartupLine.page}`)
        return open === 0 ? 0 : 1
      })
    )
  ).pipe(
    Command.withDescription(
      "check Node.js, packages, database, mail, providers, port, secrets, proxies and clock, and say what to do"
    )
  )
