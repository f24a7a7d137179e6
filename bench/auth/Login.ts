// Sign-ins against bare argon2 with the same parameters and as many at once, and what the rest of a sign-in costs.
import * as SessionGrants from "../../src/session/internal/SessionGrants.ts"
import argon2 from "argon2"
import { Effect, Option, Redacted } from "effect"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Sessions } from "../../src/session/Session.ts"
import { Users } from "../../src/auth/Users.ts"
import * as InsecurePassword from "../../testing/InsecurePassword.ts"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import * as Rounds from "../Rounds.ts"
import type { Row } from "../Row.ts"
import * as Accounts from "./Accounts.ts"
import * as FactorSignIns from "./FactorSignIns.ts"
import * as PasskeySignIns from "./PasskeySignIns.ts"
import * as ProviderReturns from "./ProviderReturns.ts"
import * as Visit from "./Visit.ts"

const run = promisify(execFile)

/** As many as `Argon2Password` does at once by itself. */
const permits = Math.max(1, Math.min(availableParallelism(), 4) - 1)

/** Verifications a second of argon2 alone. */
const bare = async (seconds: number): Promise<number> => {
  const hash = await argon2.hash(Accounts.password, Accounts.cost)
  const until = performance.now() + seconds * 1000
  const began = performance.now()
  let done = 0
  const worker = async () => {
    while (performance.now() < until) {
      await argon2.verify(hash, Accounts.password)
      done++
    }
  }
  await Promise.all(Array.from({ length: permits }, worker))
  return (done * 1000) / (performance.now() - began)
}

/** Sign-ins a second over HTTP, each from another address and for another account. */
const signIns = async (url: string, seconds: number): Promise<number> => {
  const headers = JSON.stringify(await Visit.guest(url))
  const args = [join(import.meta.dirname, "Flood.mjs"), `${url}/login`, String(permits + 2), String(seconds)]
  const { stdout } = await run(process.execPath, [...args, headers, "known"])
  const said = JSON.parse(stdout) as {
    readonly statuses: Readonly<Record<string, number>>
    readonly seconds: number
  }
  if (Object.keys(said.statuses).some((status) => status !== "200")) throw new Error(`sign-ins were answered ${stdout}`)
  return (said.statuses["200"] ?? 0) / said.seconds
}

/** Sign-ins a second when a hash costs nothing: look the account up, sign in, write the session. */
const overhead = async (file: string, seconds: number): Promise<number> => {
  const runtime = Accounts.runtime(file, InsecurePassword.layer)
  const secret = Redacted.make(Accounts.password)
  const signIn = Effect.gen(function* () {
    const sessions = yield* Sessions
    const state = yield* Accounts.state
    const session = sessions.attach(state, {})
    yield* session.trackRevocations
    const identity = yield* (yield* Users).verify("free@example.com", secret)
    yield* session[SessionGrants.signIn](Option.getOrThrow(identity))
    yield* state.session?.commit ?? Effect.void
  })
  try {
    await runtime.runPromise(Effect.flatMap(Users, (users) => users.enroll("free@example.com", secret)))
    const began = performance.now()
    let done = 0
    for (; performance.now() - began < seconds * 1000; done++) await runtime.runPromise(signIn)
    return (done * 1000) / (performance.now() - began)
  } finally {
    await runtime.dispose()
  }
}

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-login-"))
  const file = join(storage, "login.sqlite")
  const program = await Built.bundle("bench/auth/AuthProgram.ts")
  const server = await Load.serve([program], {
    DATABASE_URL: `file:${file}`,
    TRUSTED_PROXIES: "127.0.0.1"
  })
  try {
    await Accounts.seed(file)
    const seconds = quick ? 2 : 6
    const rates = await Rounds.take(
      { alone: () => bare(seconds), ours: () => signIns(server.url, seconds) },
      rounds("login")
    )
    const mine = rates.of("ours")
    const withFactor = await FactorSignIns.rates(join(storage, "factors.sqlite"), quick ? 10 : 100)
    const byPasskey = await PasskeySignIns.rates(join(storage, "passkeys.sqlite"), quick ? 5 : 61)
    const byProvider = await ProviderReturns.rates(storage, quick ? 3 : 25)
    const free = await overhead(join(storage, "free.sqlite"), quick ? 1 : 3)
    return [
      {
        subject: `sign-in over HTTP / bare argon2, ${permits} at once`,
        ...Rounds.compared(rates, "ours", "alone"),
        unit: "sign-ins/s",
        bar: 0.9
      },
      {
        subject: "sign-in with a one-time code / bare argon2 and one statement",
        ...Rounds.compared(withFactor, "ours", "bare"),
        unit: "sign-ins/s",
        bar: 0.9
      },
      {
        subject: "sign-in by passkey / the same by hand on @simplewebauthn/server, processor time",
        ...Rounds.compared(byPasskey, "ours", "hand"),
        unit: "sign-ins/s",
        bar: 0.9
      },
      {
        subject: "return from an OpenID provider over HTTP / the same by hand on openid-client, processor time",
        ...Rounds.compared(byProvider, "ours", "hand"),
        unit: "sign-ins/s",
        bar: 0.9
      },
      {
        subject: "sign-in with a hasher that costs nothing",
        ours: free,
        peer: undefined,
        unit: "sign-ins/s",
        ratio: free / mine,
        bar: undefined,
        better: "higher"
      }
    ]
  } finally {
    await server.stop()
    rmSync(storage, { recursive: true, force: true })
  }
}
