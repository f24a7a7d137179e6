// The commands `reload`, `heap`, `profile` and `log`: what the running program is asked for.
import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import * as Control from "../Control.ts"
import * as Diagnostics from "../Diagnostics.ts"
import * as LogLevelControl from "../../layers/observability/internal/LogLevelControl.ts"
import * as Storage from "../../layers/server/internal/Storage.ts"
import { group, type RunWork } from "./Work.ts"

const ask = (run: RunWork, request: Control.Request) =>
  run(({ server: { storage } }) =>
    Effect.gen(function* () {
      const replies = yield* Control.send(Storage.control(storage), request)
      if (replies.length === 0) {
        yield* Console.error(`no program that runs in ${storage} has replied`)
        return 1
      }
      for (const { ok, text } of replies) yield* ok ? Console.log(text) : Console.error(text)
      return replies.every(({ ok }) => ok) ? 0 : 1
    })
  )

const worker = Options.integer("worker").pipe(
  Options.withPseudoName("PID"),
  Options.withDescription("the process id of the worker; by default the one that has served for longest"),
  Options.optional
)

const named = (given: Option.Option<number>) =>
  Option.match(given, { onNone: () => ({}), onSome: (worker) => ({ worker }) })

const seconds = Options.integer("seconds").pipe(
  Options.filterMap(
    (value) => (value >= 1 && value <= Diagnostics.maxSeconds ? Option.some(value) : Option.none()),
    `--seconds must be between 1 and ${Diagnostics.maxSeconds}`
  ),
  Options.withDescription(`how long it measures, up to ${Diagnostics.maxSeconds}; 10`),
  Options.withDefault(10)
)

const level = Args.choice(
  LogLevelControl.names.map((name) => [name, name] as const),
  { name: "level" }
).pipe(Args.withDescription("trace, debug, info, warning, error, fatal or none"))

// `log level debug`.
const log = (run: RunWork) =>
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

/** `log level debug`, `reload`, `heap [--worker PID]` and `profile [--seconds 10] [--worker PID]`. */
export const commands = (run: RunWork) =>
  [
    log(run),
    Command.make("reload", {}, () => ask(run, { kind: "reload" })).pipe(
      Command.withDescription("restart the workers of the running program one by one; no request fails")
    ),
    Command.make("heap", { worker }, ({ worker }) => ask(run, { kind: "heap", ...named(worker) })).pipe(
      Command.withDescription(
        "write a heap snapshot of a running worker, which stops meanwhile, to STORAGE_DIR/profiles"
      )
    ),
    Command.make("profile", { seconds, worker }, ({ seconds, worker }) =>
      ask(run, { kind: "profile", seconds, ...named(worker) })
    ).pipe(Command.withDescription("write a processor profile of a running worker to STORAGE_DIR/profiles"))
  ] as const
