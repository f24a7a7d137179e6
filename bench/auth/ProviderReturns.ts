// Returns from an OpenID provider over HTTP, one after the other: the demo against the same by hand on `openid-client`. Counted
// is the processor time of each server for the return alone; the provider and the browser are in this process.
import Sqlite from "better-sqlite3"
import { Effect, Layer, ManagedRuntime } from "effect"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as AddedProviders from "../../src/auth/internal/providers/AddedProviders.ts"
import * as TestProvider from "../../testing/TestProvider.ts"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import * as Rounds from "../Rounds.ts"
import { family, processorSeconds } from "../server/Process.ts"
import * as Visit from "./Visit.ts"

/** Returns of a round, each of another account. */
const people = 40

/** An account has signed in so often before. */
const earlier = 10

const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"

// Each from an address of its own, and another one in each round, so that no limit is met.
const addressOf = (index: number, round = 0): string => `10.${round}.${index >> 8}.${index & 255}`

const subjectOf = (index: number): string => `subject-${index}`

// Accounts with a proved address, an identity and the sign-ins before.
const seed = (file: string, issuer: string): void => {
  const database = new Sqlite(file, { timeout: 5000 })
  const now = Math.floor(Date.now() / 1000)
  const user = database.prepare(
    "INSERT INTO users (id, email, password, email_verified_at, created_at) VALUES (?, ?, 'none', ?, ?)"
  )
  const identity = database.prepare("INSERT INTO linked_identities VALUES (?, ?, ?, 'oidc', ?, ?, NULL)")
  const event = database.prepare(
    `INSERT INTO security_events (id, user_id, event, outcome, actor, peer, user_agent, details, created_at)
      VALUES (?, ?, 'SignedIn', 'success', 'person', ?, ?, '{"by":"OpenID"}', ?)`
  )
  database.transaction(() => {
    for (let index = 0; index < people; index++) {
      const id = `person-${index}`
      const email = `person-${index}@example.com`
      user.run(id, email, now, now)
      identity.run(issuer, subjectOf(index), id, email, now)
      for (let count = 0; count < earlier; count++) {
        event.run(`00000000${randomUUID().slice(8)}`, id, addressOf(index), agent, now)
      }
    }
  })()
  database.close()
}

/** A browser that is at the provider: what it brings back, and with which headers. */
interface Browser {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Returns for each second of the processor, ours and by hand. */
export const rates = async (storage: string, count: number) => {
  const runtime = ManagedRuntime.make(Layer.provideMerge(TestProvider.layer(), AddedProviders.layer))
  const { approve, issuer } = await runtime.runPromise(TestProvider.TestProvider)
  const { serve, stop } = Load.servers()
  try {
    const file = (name: string) => join(storage, `${name}.sqlite`)
    const program = await Built.bundle("demo/main.ts")
    const env = (name: string) => ({
      APP_URL: "http://localhost:8087",
      AUTH_OIDC_ID: "test-client",
      AUTH_OIDC_SECRET: "test-secret",
      AUTH_OIDC_ISSUER: issuer,
      AUTH_OIDC_NETWORK: "loopback",
      DATABASE_URL: `file:${file(name)}`,
      ISSUER: issuer,
      PORT: "0",
      STORAGE_DIR: join(storage, name),
      TRUSTED_PROXIES: "127.0.0.1"
    })
    // Both begin with the same tables and rows.
    const migrated = await Load.serve([program], env("hand"))
    await migrated.stop()
    seed(file("hand"), issuer)
    const ours = await serve([program], env("ours"))
    seed(file("ours"), issuer)
    const hand = await serve([join(import.meta.dirname, "HandWrittenReturns.mjs")], env("hand"))
    const devices = new Map<string, string>()

    const send = async (url: string, method: string, headers: Readonly<Record<string, string>>) => {
      const response = await fetch(url, { method, redirect: "manual", headers: { ...headers, "user-agent": agent } })
      await response.arrayBuffer()
      const cookies = response.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "")
      return { location: response.headers.get("location") ?? "", cookies, status: response.status }
    }

    const begin = async (url: string, index: number, round: number): Promise<Browser> => {
      const from = { "x-forwarded-for": addressOf(index, round) }
      const visitor = url === ours.url ? await Visit.guest(url) : {}
      const begun = await send(`${url}/login/with/oidc`, "POST", { ...from, ...visitor })
      if (!begun.location.startsWith(issuer)) throw new Error(`${url} began with ${begun.status} ${begun.location}`)
      const claims = { sub: subjectOf(index), email: `person-${index}@example.com` }
      const path = await Effect.runPromise(approve(begun.location, claims))
      const cookie = [...begun.cookies, devices.get(`${url} ${index}`)].filter(Boolean).join("; ")
      return { path, headers: { ...from, cookie } }
    }

    const rate = ({ pid, url }: Load.Server) => {
      const seconds = () => family(pid).reduce((sum, one) => sum + processorSeconds(one), 0)
      let round = 0
      return async () => {
        const browsers: Array<Browser> = []
        for (let index = 0; index < people; index++) browsers.push(await begin(url, index, round))
        round = (round + 1) % 250
        const before = seconds()
        for (const [index, { headers, path }] of browsers.entries()) {
          const { cookies, location } = await send(url + path, "GET", headers)
          const isSignedIn = cookies.some((line) => /^session=[\w-]{43}$/.test(line))
          if (location !== "/account" || !isSignedIn) throw new Error(`${url} signed nobody in: ${location}`)
          devices.set(`${url} ${index}`, cookies.filter((line) => /^(known_)?device=/.test(line)).join("; "))
        }
        return people / (seconds() - before)
      }
    }
    const takes = { ours: rate(ours), hand: rate(hand) }
    await Rounds.take(takes, 10)
    return await Rounds.take(takes, count)
  } finally {
    await stop()
    await runtime.dispose()
  }
}
