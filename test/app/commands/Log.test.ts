// `log level` beside a running fleet: every process logs from that level on.
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Demo from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"

it.scopedLive("log level changes the level of the supervisor and of every worker, and says so", () =>
  Effect.gen(function* () {
    const storage = yield* Demo.folder
    const demo = yield* Demo.demo({ STORAGE_DIR: storage, WORKERS: "2" })
    const set = Effect.fnUntraced(function* (level: string) {
      const command = yield* Demo.start(Demo.command("log", "level", level), { STORAGE_DIR: storage })
      yield* command.says(new RegExp(`running processes log from ${level} on within a second, until they restart`))
      return (yield* command.ended).code
    })
    const lines = (level: string) =>
      Effect.sync(() => demo.output().stderr.match(new RegExp(`The log level is ${level} now`, "g"))?.length)
    expect(yield* set("debug")).toBe(0)
    yield* eventually(lines("debug"), (count) => count === 3)
    expect(yield* set("error")).toBe(0)
    yield* eventually(lines("error"), (count) => count === 3)
    const wrong = yield* Demo.start(Demo.command("log", "level", "loud"), { STORAGE_DIR: storage })
    expect((yield* wrong.ended).code).toBe(2)
  })
)
