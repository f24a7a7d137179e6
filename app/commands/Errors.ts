// The `errors` command: the exceptions of the log, grouped, and one of each kind.
import { Args, Command, Options } from "@effect/cli"
import { Console, Effect, Option } from "effect"
import * as FileExceptionLog from "../../layers/errors/internal/FileExceptionLog.ts"
import * as Storage from "../../layers/server/internal/Storage.ts"
import type { Group, Sample } from "../../src/errors/internal/ExceptionGroups.ts"
import * as SafeText from "../../src/http/internal/text/SafeText.ts"
import type { RunWork } from "./Work.ts"

const clean = (text: string, length = 160): string => SafeText.clip(SafeText.line(text), length)

const place = ({ file = "", line = 0 }: Pick<Sample, "file" | "line">): string => (file === "" ? "" : `${file}:${line}`)

const times = (count: number): string => (count === 1 ? "once" : `${count} times`)

/** The lines of one group. */
const summary = ({ count, fingerprint, first, last, routes, sample, versions }: Group): ReadonlyArray<string> => [
  `${fingerprint}  ${times(count)}  ${clean(sample.class)}: ${clean(sample.message)}`,
  `  ${first} to ${last}`,
  ...(versions.length === 0 ? [] : [`  version ${versions.map((version) => clean(version, 40)).join(", ")}`]),
  ...(routes.length === 0 ? [] : [`  ${routes.map((route) => clean(route)).join(", ")}`]),
  ...(place(sample) === "" ? [] : [`  ${clean(place(sample), 240)}`])
]

/** The lines of the last exception of a group. */
const details = ({ sample }: Group): ReadonlyArray<string> => [
  "",
  `  ${sample.timestamp}  request ${clean(sample.id ?? "")}${sample.trace_id === undefined ? "" : `  trace ${sample.trace_id}`}`,
  ...(sample.statement === undefined ? [] : [`  statement ${clean(sample.statement, 1024)}`]),
  ...(sample.frames ?? []).map(
    (frame) => `    at ${clean(frame.function) || "(anonymous)"} (${clean(place(frame), 240)})`
  ),
  ...(sample.previous ?? []).map((cause) =>
    `  caused by ${clean(cause.class)}: ${clean(cause.message)} ${clean(place(cause), 240)}`.trimEnd()
  )
]

const wanted = Args.text({ name: "fingerprint" }).pipe(
  Args.withDescription("the group whose last exception is shown, by the first digits of its fingerprint"),
  Args.optional
)

const json = Options.boolean("json").pipe(Options.withDescription("print the groups as one JSON object a line"))

/** Prints the groups, or the one whose fingerprint begins with `prefix` and its last exception. */
const print = (path: string, prefix: string | undefined, isJson: boolean) =>
  Effect.gen(function* () {
    const all = yield* FileExceptionLog.groups(path)
    const groups = prefix === undefined ? all : all.filter(({ fingerprint }) => fingerprint.startsWith(prefix))
    if (groups.length === 0) {
      yield* Console.error(
        prefix === undefined ? `no exception in ${path}` : `no exception with ${clean(prefix)} in ${path}`
      )
      return prefix === undefined ? 0 : 1
    }
    for (const group of groups) {
      const lines = prefix === undefined ? summary(group) : [...summary(group), ...details(group)]
      yield* Console.log(isJson ? JSON.stringify(group) : lines.join("\n"))
    }
    return 0
  })

/** `errors`, `errors FINGERPRINT` and `errors --json`. */
export const command = (run: RunWork) =>
  Command.make("errors", { json, wanted }, ({ json, wanted }) =>
    run(({ server }) => print(Storage.exceptions(server.storage), Option.getOrUndefined(wanted), json))
  ).pipe(
    Command.withDescription("list the exceptions of the log in STORAGE_DIR by their fingerprints, the latest first")
  )
