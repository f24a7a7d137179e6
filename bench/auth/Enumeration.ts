// Whether the clock tells that an account exists: sign-in and recovery, with known and unknown e-mails in turn.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import { median } from "../Rounds.ts"
import type { Row } from "../Row.ts"

type Form = Readonly<Record<string, string>>

interface Asker {
  /** Sends the form from an address of its own; how long the response took, in milliseconds. */
  readonly ask: (path: string, form: Form, status: number) => Promise<number>
}

// A guest's cookie is signed and kept nowhere, so one serves all questions.
const asker = async (url: string): Promise<Asker> => {
  const page = await fetch(`${url}/csrf`)
  const cookie = page.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "")
  const body: unknown = await page.json()
  const token = typeof body === "object" && body !== null && "token" in body ? String(body.token) : ""
  let count = 0
  return {
    ask: async (path, form, status) => {
      count++
      const headers = {
        accept: "text/html",
        cookie: cookie.join("; "),
        "x-forwarded-for": `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`
      }
      const sent = new URLSearchParams({ _token: token, ...form })
      const began = performance.now()
      const response = await fetch(url + path, { method: "POST", redirect: "manual", headers, body: sent })
      await response.text()
      const took = performance.now() - began
      if (response.status !== status) throw new Error(`${path} responded with ${response.status}, expected ${status}`)
      return took
    }
  }
}

interface Samples {
  readonly known: ReadonlyArray<number>
  readonly unknown: ReadonlyArray<number>
}

/** Both kinds in turn, now one first and now the other, with a pause in which work after a response can end. */
const interleave = async (
  pairs: number,
  pause: number,
  ask: (kind: keyof Samples, index: number) => Promise<number>
): Promise<Samples> => {
  const known: Array<number> = []
  const unknown: Array<number> = []
  const samples = { known, unknown }
  for (let index = 0; index < pairs; index++) {
    const order = index % 2 === 0 ? (["known", "unknown"] as const) : (["unknown", "known"] as const)
    for (const kind of order) {
      samples[kind].push(await ask(kind, index))
      await setTimeout(pause)
    }
  }
  return samples
}

/**
 * How well a single response gives the e-mail away: the chance that the slower of two responses, one of each kind, is the
 * known one, or the unknown one if that tells more. 0.5 is a coin, 1 a sure tell.
 */
export const tell = ({ known, unknown }: Samples): number => {
  let slower = 0
  for (const a of known) for (const b of unknown) slower += a > b ? 1 : a === b ? 0.5 : 0
  const share = slower / (known.length * unknown.length)
  return Math.max(share, 1 - share)
}

const rows = (subject: string, samples: Samples): ReadonlyArray<Row> => {
  const known = median(samples.known)
  const unknown = median(samples.unknown)
  const ratio = Math.max(known, unknown) / Math.min(known, unknown)
  const chance = tell(samples)
  return [
    {
      subject: `${subject}: known / unknown e-mail`,
      ours: known,
      peer: unknown,
      unit: "ms",
      ratio,
      bar: 1.1,
      better: "lower"
    },
    {
      subject: `${subject}: chance to tell by one response`,
      ours: chance,
      peer: 0.5,
      unit: "",
      ratio: chance,
      bar: undefined,
      better: "lower"
    }
  ]
}

const email = (kind: keyof Samples, index: number): string => `${kind}-${index}@example.com`

const password = "quiet harbour lights"

const within = async <A>(env: Form, use: (asker: Asker) => Promise<A>): Promise<A> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-enumeration-"))
  const program = await Built.bundle("demo/main.ts")
  const server = await Load.serve([program], {
    PORT: "0",
    STORAGE_DIR: storage,
    TRUSTED_PROXIES: "127.0.0.1",
    ...env
  })
  try {
    return await use(await asker(server.url))
  } finally {
    await server.stop()
    rmSync(storage, { recursive: true, force: true })
  }
}

const register = async ({ ask }: Asker, count: number): Promise<void> => {
  for (let index = 0; index < count; index++) {
    await ask("/register", { email: email("known", index), password }, 303)
  }
}

// One account may be tried 30 times in ten minutes.
const perAccount = 25

const login = (pairs: number) =>
  within({}, async (guest) => {
    await register(guest, Math.ceil(pairs / perAccount))
    const wrong = (kind: keyof Samples, index: number) =>
      guest.ask("/login", { email: email(kind, Math.floor(index / perAccount)), password: "not this one" }, 401)
    await wrong("unknown", 0)
    return interleave(pairs, 5, wrong)
  })

// The hashes of the accounts do not matter here, so they are cheap. Each e-mail is requested once: one message each time.
const forgot = (pairs: number) =>
  within({ AUTH_ARGON2_MEMORY: "19456", AUTH_ARGON2_TIME: "2" }, async (guest) => {
    await register(guest, pairs)
    const forget = (kind: keyof Samples, index: number) => guest.ask("/forgot", { email: email(kind, index) }, 303)
    for (let index = 0; index < 20; index++) await forget("unknown", pairs + index)
    return interleave(pairs, 25, forget)
  })

export const measure = async ({ quick }: Options): Promise<ReadonlyArray<Row>> => [
  ...rows("login", await login(quick ? 10 : 75)),
  ...rows("forgot", await forgot(quick ? 25 : 200))
]
