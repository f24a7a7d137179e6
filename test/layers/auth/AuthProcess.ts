// A separate process on a shared database: `AuthProcess DATABASE_URL`. Each line of its standard input is a job, run
// many times concurrently from a given moment on; the outcomes are one line of its standard output.
import { Effect, Layer, Logger, ManagedRuntime, Option, Redacted } from "effect"
import { createInterface } from "node:readline"
import * as SqlAuthentication from "../../../layers/auth/SqlAuthentication.ts"
import * as Database from "../../../layers/database/Database.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { Users } from "../../../src/auth/Users.ts"
import { parse } from "../../../src/database/internal/DatabaseConfig.ts"
import * as InsecurePassword from "../../../testing/InsecurePassword.ts"

export interface Job {
  readonly task: "redeem" | "rotate" | "enroll" | "hit"
  readonly subject: string
  readonly times: number
  /** Epoch milliseconds at which all begin. */
  readonly at: number
}

const attempt = ({ subject, task }: Job) =>
  Effect.gen(function* () {
    const token = Redacted.make(subject)
    switch (task) {
      case "redeem":
        return Option.getOrElse(yield* (yield* Tokens).redeem(token, "recovery"), () => "none")
      case "rotate":
        return Option.match(yield* (yield* Trust).rotate(token), {
          onNone: () => "none",
          onSome: ({ value }) => Redacted.value(value)
        })
      case "enroll":
        return yield* (yield* Users).enroll(subject, Redacted.make("correct horse"))
      case "hit": {
        const verdict = yield* (yield* RateLimit).hit({ scope: "race", limit: 5, window: "60 seconds" }, subject)
        return verdict.allowed ? "allowed" : "refused"
      }
    }
  }).pipe(Effect.catchAll((failure) => Effect.succeed(failure._tag)))

const runtime = ManagedRuntime.make(
  SqlAuthentication.layerWithoutSweeper().pipe(
    Layer.provide(InsecurePassword.layer),
    Layer.provide(AuthConfig.layerWith({})),
    Layer.provideMerge(Database.layer(Option.getOrThrow(parse(process.argv[2] ?? "")))),
    // Standard output contains only the outcomes.
    Layer.provide(Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger)))
  )
)

const work = async (job: Job): Promise<void> => {
  while (Date.now() < job.at) await new Promise((resolve) => setImmediate(resolve))
  const outcomes = await runtime.runPromise(
    Effect.all(
      Array.from({ length: job.times }, () => attempt(job)),
      { concurrency: "unbounded" }
    )
  )
  process.stdout.write(`${JSON.stringify(outcomes)}\n`)
}

await runtime.runPromise(Effect.void)
process.stdout.write("ready\n")
for await (const line of createInterface({ input: process.stdin })) await work(JSON.parse(line) as Job)
await runtime.dispose()
