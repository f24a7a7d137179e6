// Mixed traffic: eight routes by chance, beside the same by hand on Fastify with its usual plugins and a copy of the database.
import Sqlite from "better-sqlite3"
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import * as AccountPage from "../auth/AccountPage.ts"
import * as Accounts from "../auth/Accounts.ts"
import * as Visit from "../auth/Visit.ts"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import { effort, type Options } from "../Options.ts"
import * as ManyArticles from "../pagination/ManyArticles.ts"
import * as Rounds from "../Rounds.ts"
import type { Row } from "../Row.ts"

const run = promisify(execFile)

export const load = "bench/load/Mixed.mjs"

interface Request {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Kind {
  readonly name: string
  /** Of a thousand requests. */
  readonly weight: number
  readonly status: number
  readonly requests: ReadonlyArray<Request>
}

/** What a browser has at one of the two servers. */
interface Client {
  readonly guest: string
  readonly token: string
  readonly user: string
  readonly asset: string
}

const signIns = 2000

const kindsFor = ({ asset, guest, token, user }: Client): ReadonlyArray<Kind> => {
  const page = { accept: "text/html" }
  const json = { accept: "application/json" }
  const form = { ...page, cookie: guest, "content-type": "application/x-www-form-urlencoded" }
  const signIn = (index: number): Request => ({
    method: "POST",
    path: "/login",
    headers: { ...form, "x-forwarded-for": `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` },
    body: new URLSearchParams({
      email: `account-${index}@example.com`,
      password: Accounts.password,
      _token: token,
      _csrf: token
    }).toString()
  })
  return [
    { name: "home page", weight: 150, status: 200, requests: [{ path: "/", headers: page }] },
    {
      name: "sign-in form",
      weight: 100,
      status: 200,
      requests: [{ path: "/login", headers: { ...page, cookie: guest } }]
    },
    {
      name: "account page",
      weight: 200,
      status: 200,
      requests: [{ path: "/account", headers: { ...page, cookie: user } }]
    },
    {
      name: "list by cursor",
      weight: 200,
      status: 200,
      requests: ManyArticles.paths.map((path) => ({ path, headers: json }))
    },
    {
      name: "list by page",
      weight: 200,
      status: 200,
      requests: Array.from({ length: 200 }, (_, index) => ({
        path: `/articles?page=${1 + ((index * 37) % 200)}`,
        headers: json
      }))
    },
    { name: "stylesheet", weight: 109, status: 200, requests: [{ path: asset, headers: { accept: "text/css" } }] },
    { name: "failing route", weight: 40, status: 500, requests: [{ path: "/error", headers: page }] },
    { name: "sign-in", weight: 1, status: 303, requests: Array.from({ length: signIns }, (_, index) => signIn(index)) }
  ]
}

const text = async (url: string, headers: Readonly<Record<string, string>> = {}): Promise<string> =>
  (await fetch(url, { headers: { accept: "text/html", ...headers } })).text()

const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")

const fileOf = (asset: string): string => basename(new URL(asset, "http://localhost").pathname)

const tokenIn = (page: string): string => /name="_token" value="([^"]+)"/.exec(page)?.[1] ?? ""

/** The pages of ours with places for what changes, and the stylesheet, in a folder. */
const record = async (folder: string, url: string, client: Client): Promise<void> => {
  mkdirSync(join(folder, "assets"), { recursive: true })
  const withToken = (page: string) => page.replaceAll(/(name="_token" value=")[^"]+/g, "$1{{token}}")
  const account = await text(`${url}/account`, { cookie: client.user })
  writeFileSync(join(folder, "home.html"), await text(url))
  writeFileSync(join(folder, "login.html"), withToken(await text(`${url}/login`)))
  writeFileSync(join(folder, "error.html"), await text(`${url}/error`))
  writeFileSync(
    join(folder, "account.html"),
    withToken(account)
      .replace("demo@example.com", "{{email}}")
      .replace(/<ul[\s\S]*?<\/ul>/, "<ul>{{sessions}}</ul>")
  )
  writeFileSync(join(folder, "assets", fileOf(client.asset)), await text(url + client.asset))
}

const ourClient = async (url: string): Promise<Client> => {
  const { cookie = "", "x-csrf-token": token = "" } = await Visit.guest(url)
  const asset = /<link rel="stylesheet" href="([^"]+)"/.exec(await text(url))?.[1] ?? ""
  return { guest: cookie, token, user: await AccountPage.threeDevices(url), asset }
}

const theirClient = async (url: string, asset: string): Promise<Client> => {
  const form = await fetch(`${url}/login`)
  const [guest, token] = [cookiesOf(form), tokenIn(await form.text())]
  const body = new URLSearchParams({
    email: "account-0@example.com",
    password: Accounts.password,
    _csrf: token
  }).toString()
  const headers = { cookie: guest, "content-type": "application/x-www-form-urlencoded" }
  let user = ""
  for (let device = 0; device < 3; device++) {
    const response = await fetch(`${url}/login`, { method: "POST", headers, body, redirect: "manual" })
    if (response.status !== 303) throw new Error(`POST /login of the peer responded with ${response.status}`)
    user = cookiesOf(response)
  }
  return { guest, token, user, asset: `/assets/${fileOf(asset)}` }
}

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-mixed-"))
  const [file, copy] = [join(storage, "ours.sqlite"), join(storage, "theirs.sqlite")]
  const program = await Built.bundle("bench/server/Program.ts")
  const { serve, stop } = Load.servers()
  const rateOf = (url: string, name: string, client: Client) => {
    const requests = join(storage, `${name}.json`)
    writeFileSync(requests, JSON.stringify(kindsFor(client)))
    let seed = 1
    return async () => {
      const generator = join(import.meta.dirname, "../load/Mixed.mjs")
      const given = [generator, url, requests, String(seed++), String(quick ? 1 : 3), String(effort.connections)]
      const { stdout } = await run(process.execPath, given)
      return (JSON.parse(stdout) as { readonly rate: number }).rate
    }
  }
  try {
    const ours = await serve([program], {
      PORT: "0",
      STORAGE_DIR: storage,
      DATABASE_URL: `file:${file}`,
      TRUSTED_PROXIES: "127.0.0.1"
    })
    await ManyArticles.fill(`file:${file}`)
    await Accounts.seed(file)
    const mine = await ourClient(ours.url)
    await record(storage, ours.url, mine)
    new Sqlite(file).exec(`VACUUM INTO '${copy}'`).close()
    const peer = await serve([join(import.meta.dirname, "MixedFastify.mjs")], { DATABASE: copy, FOLDER: storage })
    const takes = {
      ours: rateOf(ours.url, "ours", mine),
      fastify: rateOf(peer.url, "fastify", await theirClient(peer.url, mine.asset))
    }
    // Until the code is compiled.
    await Rounds.take(takes, quick ? 1 : 3)
    const rates = await Rounds.take(takes, rounds("mixed"))
    return [
      {
        subject: "mixed traffic, eight routes / the same by hand on Fastify 5 with its usual plugins",
        ...Rounds.compared(rates, "ours", "fastify"),
        unit: "responses/s",
        bar: 1
      }
    ]
  } finally {
    await stop()
    rmSync(storage, { recursive: true, force: true })
  }
}
