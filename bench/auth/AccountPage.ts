// The account page of someone with three devices, and the probe of readiness, beside bare node:http with the same bytes.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Account from "../../demo/Account.ts"
import { Redacted } from "effect"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import { effort, type Options } from "../Options.ts"
import { compared } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import * as Visit from "./Visit.ts"

const agents = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
]

const recorded = async (path: string, { headers = {}, url }: Load.Target) => {
  const response = await fetch(url, { headers })
  const body = await response.text()
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${body}`)
  const own = [...response.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name))
  return { path, status: response.status, headers: own.flat(), body }
}

/** The cookie of someone who is signed in on three devices, all of them trusted. */
export const threeDevices = async (url: string): Promise<string> => {
  let cookie = ""
  for (const agent of agents) {
    cookie = await Visit.signIn(url, Account.email, Redacted.value(Account.password), { agent, remember: true })
  }
  return cookie
}

export const measure = async ({ rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-account-"))
  const program = await Built.bundle("bench/server/Program.ts")
  const { serve, stop } = Load.servers()
  const ours = await serve([program], { PORT: "0", STORAGE_DIR: storage })
  try {
    const account = {
      url: `${ours.url}/account`,
      headers: { accept: "text/html", cookie: await threeDevices(ours.url) }
    }
    const ready = { url: `${ours.url}/readyz` }
    const responses = [await recorded("/account", account), await recorded("/readyz", ready)]
    const bare = await serve([join(import.meta.dirname, "../server/Page.mjs")], {
      RESPONSES: JSON.stringify(responses)
    })
    const targets = {
      account,
      bareAccount: { ...account, url: `${bare.url}/account` },
      ready,
      bareReady: { url: `${bare.url}/readyz` }
    }
    const rates = await Load.alternate(targets, rounds("account"), effort)
    const unit = "responses/s"
    return [
      {
        subject: "/account with three devices / bare page of the same bytes",
        ...compared(rates, "account", "bareAccount"),
        unit,
        bar: 0.15
      },
      {
        subject: "/readyz / bare node:http, same bytes",
        ...compared(rates, "ready", "bareReady"),
        unit,
        bar: undefined
      }
    ]
  } finally {
    await stop()
    rmSync(storage, { recursive: true, force: true })
  }
}
