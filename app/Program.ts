// A program as its command line sees it: a name, the app that it serves, and commands of its own.
import type { FileSystem, Path, Terminal } from "@effect/platform"
import type { SqlClient } from "@effect/sql"
import { Context, type Effect, type Layer, type Schema, type Stream } from "effect"
import type { Migrations } from "../layers/database/Migrations.ts"
import type { Tables } from "../layers/database/Tables.ts"
import type { AppConfig } from "../layers/server/AppConfig.ts"
import type { EntityMismatch } from "../src/pagination/Entity.ts"
import type { ForeignValue } from "../src/pagination/Column.ts"
import type { InvalidPagination } from "../src/pagination/Pagination.ts"
import type { ServerAddress } from "../src/server/ServerAddress.ts"

/** Rows that `export` writes: a repository, or one whose `stream` gives fewer rows or another order. */
export interface ExportSource {
  readonly schema: Schema.Schema.AnyNoContext
  readonly stream: () => Stream.Stream<unknown, ForeignValue | InvalidPagination>
}

/** What the command line needs of a program; usually the exports of `App.ts`, which may export what it does not have. */
export interface Program<E> {
  /** The server and everything that it needs. */
  readonly layer: (settings: AppConfig) => Layer.Layer<ServerAddress, E>
  /** The handlers of its jobs and everything that they need, without the server, for `queue run jobs`. */
  readonly worker?: ((settings: AppConfig, concurrency: number) => Layer.Layer<never, E>) | undefined
  /** The migrations of the program's own tables, for `migrate` and for the program's own commands. */
  readonly migrations?: Migrations | undefined
  /** The framework's tables, as `AppLayer.layer` has them, when they are not the default ones. */
  readonly tables?: Tables | undefined
  /** What `export` can write, by name: `{ articles: SqlRepository.make(Article) }`. */
  readonly collections?:
    | Readonly<Record<string, Effect.Effect<ExportSource, EntityMismatch, SqlClient.SqlClient>>>
    | undefined
}

/** The settings that the command line has read, for the program's own commands. */
export class CurrentConfig extends Context.Tag("effect-framework/app/CurrentConfig")<CurrentConfig, AppConfig>() {}

/**
 * What a command of the program's own may use: the settings, the migrated database, files and the terminal.
 *
 * @example
 * ```ts
 * import { Command } from "@effect/cli"
 * import { Console, Effect } from "effect"
 * import { App } from "effect-framework"
 *
 * const address: Effect.Effect<void, never, App.CommandServices> = Effect.flatMap(App.CurrentConfig, ({ auth }) =>
 *   Console.log(auth.appUrl)
 * )
 *
 * App.run({ name: "teapots", pages: [], commands: async () => [Command.make("address", {}, () => address)] })
 * ```
 */
export type CommandServices =
  | CurrentConfig
  | SqlClient.SqlClient
  | FileSystem.FileSystem
  | Path.Path
  | Terminal.Terminal

/**
 * A command of the program's own, made with `Command.make` of `@effect/cli`: the parts of it that are read here. With the type
 * of that package the type check of every program, also of one without commands, would read its parser.
 */
export interface Command<E> {
  readonly descriptor: object
  readonly tag: object
  readonly handler: (parsed: never) => Effect.Effect<void, E, CommandServices>
  readonly transform: (effect: Effect.Effect<void>, parsed: never) => Effect.Effect<void, E, CommandServices>
}

/** The name of the program, how to load its app, and its own commands. */
export interface Options<E, E2 = never, E3 = never> {
  /** In the help, and the name of the default database: `NAME.sqlite`. */
  readonly name: string
  /** Printed by `--version`, and sent as `service.version` with the metrics. */
  readonly version?: string
  /** Changes the settings that were read from the environment, before anything uses them. */
  readonly settings?: (settings: AppConfig) => AppConfig
  /** Loads the app: `() => import("./Teapots.ts")`. The supervisor of several workers does not load it. */
  readonly app: () => Promise<Program<E>>
  /** The database of the commands, for a program that opens its own; by default the one of `DATABASE_URL`. */
  readonly database?: (settings: AppConfig) => Layer.Layer<SqlClient.SqlClient, E3>
  /** Loads the program's own commands. Called only when the program has arguments. */
  readonly commands?: () => Promise<ReadonlyArray<Command<E2>>>
}
