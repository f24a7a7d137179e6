// A session read over HTTP: against Better Auth and bare node:http, at rest and while others guess passwords.
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import { compared } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import * as Visit from "./Visit.ts"

const run = promisify(execFile)
const here = (name: string) => join(import.meta.dirname, name)

/** The rate of the target while ten connections guess passwords at `url`. */
const underFlood = async (target: Load.Target, url: string, headers: object, seconds: number): Promise<number> => {
  // The guessing begins before the measurement and ends after it.
  const guessing = run(process.execPath, [
    here("Flood.mjs"),
    url,
    "10",
    String(seconds + 3),
    JSON.stringify(headers),
    ""
  ])
  await setTimeout(1500)
  const rate = await Load.rate(target, { connections: 32, seconds })
  await guessing
  return rate
}

export const measure = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-auth-"))
  const program = await Built.bundle("bench/auth/AuthProgram.ts")
  const ours = await Load.serve([program], {
    PORT: "0",
    STORAGE_DIR: storage,
    DATABASE_URL: `file:${join(storage, "ours.sqlite")}`,
    TRUSTED_PROXIES: "127.0.0.1"
  })
  const theirs = await Load.serve([here("BetterAuth.mjs")], { FILE: join(storage, "theirs.sqlite") })
  const bare = await Load.serve([join(import.meta.dirname, "../server/Bare.mjs")])
  try {
    const member = { cookie: await Visit.signIn(ours.url, "demo@example.com", "correct-horse-battery") }
    const other = { cookie: await Visit.signUpThere(theirs.url) }
    const targets = {
      ours: { url: `${ours.url}/session`, headers: member },
      theirs: { url: `${theirs.url}/api/auth/get-session`, headers: other },
      bare: { url: `${bare.url}/hello` }
    }
    const rates = await Load.alternate(targets, quick ? 1 : 25, { connections: 32, seconds: 1 })
    const seconds = quick ? 1 : 10
    const floodedOurs = await underFlood(targets.ours, `${ours.url}/login`, await Visit.guest(ours.url), seconds)
    const floodedTheirs = await underFlood(
      targets.theirs,
      `${theirs.url}/api/auth/sign-in/email`,
      { origin: theirs.url },
      seconds
    )
    const unit = "responses/s"
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
      {
        subject: "signed-in session read / Better Auth's get-session",
        ...compared(rates, "ours", "theirs"),
        unit,
        bar: 4
      },
      { subject: "signed-in session read / bare node:http", ...compared(rates, "ours", "bare"), unit, bar: 0.35 },
      flooded("session read while 10 guess passwords / at rest", floodedOurs, rates.of("ours"), 0.25),
      flooded("the same of Better Auth", floodedTheirs, rates.of("theirs"))
    ]
  } finally {
    await Promise.all([ours.stop(), theirs.stop(), bare.stop()])
    rmSync(storage, { recursive: true, force: true })
  }
}
