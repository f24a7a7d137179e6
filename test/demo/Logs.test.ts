// What the demo logs, read from its processes: lines for people in development, JSON lines elsewhere.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Demo from "../support/Demo.ts"

// A mail server that requires a password over an unencrypted connection gets a warning, and no connection at the start.
const warned = { MAIL_HOST: "mail.invalid", MAIL_USERNAME: "ann", MAIL_PASSWORD: "hunter2", MAIL_SECURE: "none" }

const message = "MAIL_SECURE is none: the mail password is sent in clear text"

const lines = (text: string) => text.split("\n").filter((line) => line !== "")

const warnings = (stderr: string) => lines(stderr).map((line): unknown => JSON.parse(line))

const warning = { timestamp: expect.stringMatching(/^\d{4}-.*Z$/), level: "WARN", channel: "program", message }

// What a start names besides its address.
const places = ["pages", "e-mails", "panel", "API", "metrics"]

describe("the demo's log", () => {
  it.scopedLive("is for people in development, and apart from the requests", () =>
    Effect.gen(function* () {
      const demo = yield* Demo.demo({ FRAMEWORK_ENVIRONMENT: "development", ...warned })
      yield* Effect.promise(() => fetch(`${demo.url}/health`))
      yield* demo.says(/^GET \/health 200 /m)
      yield* demo.says(/clear text\n/)
      const { stderr, stdout } = demo.output()
      expect(lines(stderr)).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d WARN MAIL_SECURE is none: .* clear text$/)])
      // The first line, and where to look.
      expect(lines(stdout)).toEqual([
        expect.stringMatching(/^listening on http:\/\/\S+ \(development, SQLite \S+, 1 worker, mail by SMTP\)$/),
        ...places.map((name) => expect.stringMatching(new RegExp(`^  ${name} +\\S`))),
        expect.stringMatching(/^GET \/health 200 /)
      ])
    })
  )

  it.scopedLive(
    "is a JSON object a line of each worker, and of the supervisor when one dies",
    () =>
      Effect.gen(function* () {
        const demo = yield* Demo.demo({ FRAMEWORK_ENVIRONMENT: "staging", WORKERS: "2", ...warned })
        // Standard error is a pipe of its own: its lines may be read after the line of standard output.
        yield* demo.says(/clear text[^]*clear text.*\n/)
        expect(warnings(demo.output().stderr)).toEqual([warning, warning])
        const health = yield* Effect.promise(() => fetch(`${demo.url}/health`).then((response) => response.json()))
        process.kill(Number(Reflect.get(Object(health), "pid")), "SIGKILL")
        yield* demo.says(/ died .*\n/)
        const died = { level: "ERROR", message: expect.stringMatching(/^Process \d+ died \(signal SIGKILL\)/) }
        expect(warnings(demo.output().stderr)[2]).toMatchObject(died)
      }),
    240_000
  )

  it.scopedLive("leaves a command's standard output to what the command prints", () =>
    Effect.gen(function* () {
      const queue = yield* Demo.start(Demo.command("queue", "list"), { STORAGE_DIR: yield* Demo.folder, ...warned })
      expect((yield* queue.ended).code).toBe(0)
      const { stderr, stdout } = queue.output()
      expect(lines(stdout)).toEqual(["ready 0", "delayed 0", "failed 0"])
      expect(warnings(stderr)).toEqual([warning])
    })
  )
})
