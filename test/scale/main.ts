// `npm run scale`: several machines on one computer, with HAProxy and PgBouncer.
import { Cause, Console, Effect, Exit, Logger } from "effect"
import { join } from "node:path"
import * as DemoBundle from "../support/DemoBundle.ts"
import * as Daemon from "../support/Daemon.ts"
import * as Checks from "./Checks.ts"
import * as Figures from "./Figures.ts"
import * as Migrations from "./Migrations.ts"
import * as Request from "./Request.ts"
import * as Site from "./Site.ts"
import * as Sizes from "./Sizes.ts"
import * as Soak from "./Soak.ts"

const started = Date.now()

const print = (line: string) => Console.log(`${((Date.now() - started) / 1000).toFixed(0).padStart(5)} s  ${line}`)

const bundle = Effect.acquireRelease(Effect.promise(DemoBundle.make), ({ remove }) => Effect.sync(remove))

// The figures are those of the default hash; everywhere else the cheapest one leaves the processor to the rest.
const variables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  figures: { AUTH_ARGON2_MEMORY: "65536", AUTH_ARGON2_TIME: "3" }
}

const work = ({ command, minutes, only, pause }: Request.Request) =>
  Effect.gen(function* () {
    const program = join((yield* bundle).folder, "main.mjs")
    const workers = command === "figures" || command === "sizes" ? [1] : [1, 2, 1]
    const site = yield* Site.make({ program, workers, variables: variables[command] ?? {} })
    yield* print(`PostgreSQL, PgBouncer and HAProxy listen; ${workers.length} machines start on an empty database`)
    const programs = [...(yield* Migrations.start(site))]
    yield* print("every program serves")
    if (command === "figures") return yield* print(yield* Figures.figures(site, programs, print))
    if (command === "sizes") return yield* print(yield* Sizes.sizes(site, print))
    if (command === "soak") return yield* print(yield* Soak.soak(site, programs, { minutes, pause }, print))
    for (const { name, run } of [...Checks.functional, ...Checks.underLoad].filter(({ name }) => name.includes(only))) {
      yield* print(`${name}: ${yield* run(site, programs)}`)
    }
  }).pipe(Effect.scoped, Effect.provide(Logger.remove(Logger.defaultLogger)))

const run = async (request: Request.Request): Promise<number> => {
  const missing = ["haproxy", "pgbouncer"].filter((name) => Daemon.find(name) === undefined)
  if (missing.length > 0) {
    process.stderr.write(`${missing.join(" and ")} not found: apt-get install ${missing.join(" ")}\n`)
    return 1
  }
  // Ctrl-C ends every process that was started.
  const stop = new AbortController()
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort())
  const exit = await Effect.runPromiseExit(work(request), { signal: stop.signal })
  if (Exit.isSuccess(exit)) return 0
  process.stderr.write(`${Cause.pretty(exit.cause)}\n`)
  return 1
}

const main = async (words: ReadonlyArray<string>): Promise<number> => {
  const request = Request.read(words)
  if (typeof request !== "string") return run(request)
  if (request === "") process.stdout.write(Request.usage)
  else process.stderr.write(`${request}\n\n${Request.usage}`)
  return request === "" ? 0 : 2
}

process.exit(await main(process.argv.slice(2)))
