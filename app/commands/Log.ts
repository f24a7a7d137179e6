// The `log` command: changes what the running processes log.
import { Args, Command } from "@effect/cli"
import { Console, Effect } from "effect"
import * as LogLevelControl from "../../layers/observability/internal/LogLevelControl.ts"
import * as Storage from "../../layers/server/internal/Storage.ts"
import { group, type RunWork } from "./Work.ts"

const level = Args.choice(
  LogLevelControl.names.map((name) => [name, name] as const),
  { name: "level" }
).pipe(Args.withDescription("trace, debug, info, warning, error, fatal or none"))

/** `log level debug`. */
export const command = (run: RunWork) =>
  group("log", "change what the running processes log", [
    Command.make("level", { level }, ({ level }) =>
      run(({ server }) =>
        LogLevelControl.change(Storage.logLevel(server.storage), level).pipe(
          Effect.zipRight(Console.log(`running processes log from ${level} on within a second, until they restart`)),
          Effect.as(0)
        )
      )
    ).pipe(Command.withDescription("log from this level on, in every process of STORAGE_DIR until it restarts"))
  ])
