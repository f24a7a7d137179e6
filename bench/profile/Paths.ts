// The hot paths: for each a built server, and what it is asked.
import { join } from "node:path"
import * as AccountPage from "../auth/AccountPage.ts"
import * as Members from "../auth/Members.ts"
import type * as Load from "../Load.ts"
import * as InTurn from "../load/InTurn.ts"
import * as ManyArticles from "../pagination/ManyArticles.ts"

/** Where a path is set up. */
export interface Stage {
  readonly storage: string
  /** Starts the program of this source under the recorder. */
  readonly serve: (entry: string, env?: Readonly<Record<string, string>>) => Promise<Load.Server>
  /** The URL of a new PostgreSQL database. */
  readonly postgres: (name: string) => Promise<string>
}

export interface Loaded {
  readonly server: Load.Server
  readonly target: Load.Target
}

export interface Path {
  readonly title: string
  readonly open: (stage: Stage) => Promise<Loaded>
}

type Address = (stage: Stage, name: string) => Promise<string>

const sqlite: Address = async ({ storage }, name) => `file:${join(storage, `${name}.sqlite`)}`
const postgres: Address = (stage, name) => stage.postgres(name)

const demo = (stage: Stage, env: Readonly<Record<string, string>> = {}) =>
  stage.serve("bench/server/Program.ts", { PORT: "0", STORAGE_DIR: stage.storage, ...env })

const session = async (stage: Stage, address: Address): Promise<Loaded> => {
  const database = await address(stage, "members")
  const server = await stage.serve("bench/auth/AuthProgram.ts", { DATABASE_URL: database })
  const cookies = await Members.signIn(database)
  const requests = InTurn.file(cookies.map((cookie) => ({ path: "/session", headers: { cookie } })))
  return { server, target: { url: server.url, requests } }
}

const articles = async (stage: Stage, address: Address): Promise<Loaded> => {
  const database = await address(stage, "articles")
  const server = await demo(stage, { DATABASE_URL: database })
  await ManyArticles.fill(database)
  return { server, target: { url: server.url, requests: InTurn.file(ManyArticles.paths.map((path) => ({ path }))) } }
}

const page = async (stage: Stage, path: string): Promise<Loaded> => {
  const server = await demo(stage)
  return { server, target: { url: server.url + path } }
}

export const paths: Readonly<Record<string, Path>> = {
  probe: { title: "native probe", open: (stage) => page(stage, "/livez") },
  json: { title: "routed JSON", open: (stage) => page(stage, "/hello") },
  "session-sqlite": { title: "signed-in read, SQLite", open: (stage) => session(stage, sqlite) },
  "session-postgres": { title: "signed-in read, PostgreSQL", open: (stage) => session(stage, postgres) },
  "articles-sqlite": { title: "/articles, distinct cursors, SQLite", open: (stage) => articles(stage, sqlite) },
  "articles-postgres": {
    title: "/articles, distinct cursors, PostgreSQL",
    open: (stage) => articles(stage, postgres)
  },
  account: {
    title: "/account with three devices",
    open: async (stage) => {
      const server = await demo(stage)
      const headers = { accept: "text/html", cookie: await AccountPage.threeDevices(server.url) }
      return { server, target: { url: `${server.url}/account`, headers } }
    }
  },
  api: {
    title: "endpoint of an HttpApi",
    open: async (stage) => {
      const server = await stage.serve("bench/server/ApiProgram.ts", { PORT: "0", STORAGE_DIR: stage.storage })
      return { server, target: { url: `${server.url}/api/hello` } }
    }
  }
}
