// The `doctor` command: looks at everything that a start needs, and says what to do.
import { Command } from "@effect/cli"
import type { SqlClient } from "@effect/sql"
import { Console, Effect, Either, identity, type Layer } from "effect"
import * as CursorSignature from "../../layers/pagination/internal/CursorSignature.ts"
import * as AppConfig from "../../layers/server/AppConfig.ts"
import * as Storage from "../../layers/server/internal/Storage.ts"
import * as StartupLine from "../../src/config/internal/StartupLine.ts"
import type { Options } from "../Program.ts"
import * as Checks from "./Checks.ts"
import type { CommandFailed } from "./Work.ts"

type Connection<E> = (settings: AppConfig.AppConfig) => Layer.Layer<SqlClient.SqlClient, E>

const width = Math.max(...Checks.subjects.map((subject) => subject.length)) + 2

const line = ({ said, status, subject }: Checks.Finding): string =>
  `${status.padEnd(5)} ${subject.padEnd(width)}${said}`

// The settings are read as a start reads them; the keys of cursors are those of a layer.
const read = <E, E2, E3>({ name, settings: change = identity, version }: Options<E, E2, E3>) =>
  Effect.either(
    Effect.zipLeft(AppConfig.config(name, version === undefined ? {} : { version }), CursorSignature.config)
  ).pipe(Effect.map(Either.map(change)))

const examine = <E, E2, E3, E4>(options: Options<E, E2, E3>, connection: Connection<E4>) =>
  Effect.gen(function* () {
    const findings: Array<Checks.Finding> = [Checks.node(process.versions.node)]
    const settings = yield* read(options)
    if (Either.isLeft(settings)) {
      return [...findings, Checks.fix("settings", StartupLine.line(settings.left) ?? String(settings.left))]
    }
    const { right: given } = settings
    const stored = yield* Effect.either(Storage.prepare(given.server.storage))
    findings.push(Checks.ok("settings", `${given.environment}, ${given.auth.appUrl}`))
    findings.push(
      Either.isLeft(stored)
        ? Checks.fix("storage", StartupLine.line(stored.left) ?? stored.left.message)
        : Checks.ok("storage", given.server.storage)
    )
    const { migrations = {}, tables } = yield* Effect.promise(options.app)
    const parts = yield* Effect.all(
      [Checks.database(connection(given), migrations, tables), Checks.mail(given), Checks.port(given.server)],
      { concurrency: "unbounded" }
    )
    return [...findings, ...parts.flat(), ...Checks.addresses(given), Checks.secrets(given), Checks.proxies(given)]
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
        yield* Console.log(open === 0 ? "\nNothing must be done." : `\n${open} to fix. See docs/troubleshooting.md`)
        return open === 0 ? 0 : 1
      })
    )
  ).pipe(Command.withDescription("check Node.js, database, mail, port, secrets, proxies and clock, and say what to do"))
