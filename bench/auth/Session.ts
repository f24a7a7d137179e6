// A session read over HTTP, on both databases: against Better Auth, the same by hand and bare node:http, at rest and while
// others guess passwords.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import * as InTurn from "../load/InTurn.ts"
import { effort, type Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
import { compared } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import * as Members from "./Members.ts"
import * as Visit from "./Visit.ts"

const run = promisify(execFile)
const here = (name: string) => join(import.meta.dirname, name)

/** The rate of the target while ten connections guess passwords at `url`. */
const underFlood = async (target: Load.Target, url: string, headers: object, seconds: number): Promise<number> => {
  // The guessing begins before the measurement and ends after it.
  const args = [here("Flood.mjs"), url, "10", String(seconds + 3), JSON.stringify(headers), ""]
  const guessing = run(process.execPath, args)
  await setTimeout(1500)
  const rate = await Load.rate(target, { connections: 32, seconds })
  await guessing
  return rate
}

/** Ours and the same by hand on one database, each asked by all members in turn. */
const readEachTime = async (program: string, database: string, serve: typeof Load.serve) => {
  const env = { DATABASE_URL: database, TRUSTED_PROXIES: "127.0.0.1" }
  const ours = await serve([program], env)
  const cookies = await Members.signIn(database)
  const hand = await serve([here("HandWritten.mjs")], env)
  const requests = InTurn.file(cookies.map((cookie) => ({ path: "/session", headers: { cookie } })))
  const headers = { cookie: cookies[0] ?? "" }
  await Load.same({ url: `${ours.url}/session`, headers }, { url: `${hand.url}/session`, headers })
  return { ours: { url: ours.url, requests }, hand: { url: hand.url, requests } }
}

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-auth-"))
  const program = await Built.bundle("bench/auth/AuthProgram.ts")
  const postgres = await Postgres.start()
  const { serve, stop } = Load.servers()
  try {
    const file = (name: string) => `file:${join(storage, `${name}.sqlite`)}`
    const ours = await serve([program], { DATABASE_URL: file("ours"), TRUSTED_PROXIES: "127.0.0.1" })
    const theirs = await serve([here("BetterAuth.mjs")], { DATABASE_URL: file("theirs") })
    const theirsCached = await serve([here("BetterAuth.mjs")], { DATABASE_URL: file("cached"), COOKIE_CACHE: "1" })
    const theirsPostgres = await serve([here("BetterAuth.mjs")], { DATABASE_URL: await postgres.create("theirs") })
    const bare = await serve([here("../server/Bare.mjs")])
    const sqlite = await readEachTime(program, file("members"), serve)
    const onPostgres = await readEachTime(program, await postgres.create("members"), serve)
    const session = "/api/auth/get-session"
    const targets = {
      remembered: {
        url: `${ours.url}/session`,
        headers: { cookie: await Visit.signIn(ours.url, "demo@example.com", "correct-horse-battery") }
      },
      bare: { url: `${bare.url}/hello` },
      theirs: { url: `${theirs.url}${session}`, headers: { cookie: await Visit.signUpThere(theirs.url) } },
      theirsCached: {
        url: `${theirsCached.url}${session}`,
        headers: { cookie: await Visit.signUpThere(theirsCached.url) }
      },
      theirsPostgres: {
        url: `${theirsPostgres.url}${session}`,
        headers: { cookie: await Visit.signUpThere(theirsPostgres.url) }
      },
      sqlite: sqlite.ours,
      sqliteHand: sqlite.hand,
      postgres: onPostgres.ours,
      postgresHand: onPostgres.hand
    }
    const rates = await Load.alternate(targets, rounds("session"), effort)
    const seconds = quick ? 1 : 10
    const floodedOurs = await underFlood(targets.remembered, `${ours.url}/login`, await Visit.guest(ours.url), seconds)
    const floodedTheirs = await underFlood(
      targets.theirs,
      `${theirs.url}/api/auth/sign-in/email`,
      { origin: theirs.url },
      seconds
    )
    const unit = "responses/s"
    const row = (subject: string, mine: keyof typeof targets, peer: keyof typeof targets, bar?: number): Row => ({
      subject,
      ...compared(rates, mine, peer),
      unit,
      bar
    })
    const flooded = (subject: string, rate: number, rest: number, bar?: number): Row => ({
      subject,
      ours: rate,
      peer: rest,
      ratio: rate / rest,
      better: "higher",
      unit,
      bar
    })
    return [
      row("signed-in read, row remembered / bare node:http", "remembered", "bare", 0.38),
      row("signed-in read, row read each time, SQLite / bare node:http", "sqlite", "bare"),
      row("signed-in read, row read each time, SQLite / by hand", "sqlite", "sqliteHand", 0.6),
      row("signed-in read, row read each time, PostgreSQL / by hand", "postgres", "postgresHand", 0.6),
      row(
        "session read, row remembered / Better Auth's get-session with its cookie cache",
        "remembered",
        "theirsCached"
      ),
      row("session read, row remembered / Better Auth's get-session, SQLite", "remembered", "theirs", 10),
      row("session read, row read each time / Better Auth's get-session, SQLite", "sqlite", "theirs"),
      row("session read, row read each time / Better Auth's get-session, PostgreSQL", "postgres", "theirsPostgres", 5),
      flooded("session read while 10 guess passwords / at rest", floodedOurs, rates.of("remembered"), 0.25),
      flooded("the same of Better Auth", floodedTheirs, rates.of("theirs"))
    ]
  } finally {
    await stop()
    await postgres.stop()
    rmSync(storage, { recursive: true, force: true })
  }
}
