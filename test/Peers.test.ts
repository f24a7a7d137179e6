// The packed package on the oldest and on the newest versions of its peers: one copy of each, and types that fit.
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { pack, type Packed } from "./support/Packed.ts"
import { check, copies, entryPoints, evaluate, install, manifest, newest, oldest } from "./support/Peers.ts"

const program = `
import { Args, Command } from "@effect/cli"
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Effect, Layer, type Option } from "effect"
import { Users } from "effect-framework/auth"
import { Identity } from "effect-framework/session"
import { App } from "effect-framework"
import { DatabaseUrl } from "effect-framework/database"
import { Database } from "effect-framework/layers/database"
import { Access } from "effect-framework/routes/auth"

export const find = (email: string): Effect.Effect<Option.Option<Identity.Identity>, never, Users.Users> =>
  Effect.flatMap(Users.Users, (users) => users.fetch(email))

const tea = Effect.map(Identity.CurrentIdentity, ({ email }) => HttpServerResponse.text(email))
export const route = HttpLayerRouter.route("GET", "/tea", Access.requireUser(tea))

export const database: Layer.Layer<SqlClient.SqlClient, unknown> = Database.layer(DatabaseUrl.Sqlite({ path: "app.sqlite" }))

const brew = Command.make("brew", { name: Args.text({ name: "tea" }) }, ({ name }) =>
  Effect.zipRight(App.CurrentConfig, Effect.flatMap(SqlClient.SqlClient, (sql) => sql\`SELECT \${name}\`))
)
const app = async () => ({ layer: () => Layer.die("it does not serve here") })
export const run = () => App.run({ name: "teapot", app, commands: async () => [brew] })
`

const askForHelp = `
import { App } from "effect-framework"
process.argv = ["node", "teapot", "--help"]
App.run({ name: "teapot", app: async () => ({}) })
`

const importAll = `
const names = ${JSON.stringify(entryPoints)}
const modules = await Promise.all(names.map((name) => import(name)))
console.log(modules.every((module) => Object.keys(module).length > 0) ? names.length : 0)
`

const importInternal = `
const names = ["effect-framework/dist/src/auth/Tokens.js", "effect-framework/layers/auth/SqlTrust", "effect-framework/app/CommandLine"]
const codes = await Promise.all(names.map((name) => import(name).then(() => "imported", (error) => error.code)))
console.log(codes.join(" "))
`

const useMissing = `
import { Cause, Effect, Layer, Redacted } from "effect"
import { DatabaseUrl } from "effect-framework/database"
import { Database } from "effect-framework/layers/database"
import { SmtpMailer } from "effect-framework/layers/mail"

const server = { host: "localhost", port: 25, security: "none" }
const layers = [
  Database.layer(DatabaseUrl.Postgres({ url: Redacted.make("postgres://localhost/app") })),
  SmtpMailer.layerWith({ server, sender: { address: "app@example.com" } })
]
for (const layer of layers) {
  const cause = await Effect.runPromise(Effect.scoped(Layer.build(layer)).pipe(Effect.sandbox, Effect.flip))
  console.log(Cause.squash(cause).message)
}
`

describe("the packed package", () => {
  let packed: Packed
  const folders = new Map<string, string>()
  const folder = (name: string): string => folders.get(name) ?? ""

  beforeAll(async () => {
    packed = await pack()
    const installs = Object.entries({ oldest, newest }).map(async ([name, versions]) => {
      folders.set(name, await install(packed, name, versions, program))
    })
    await Promise.all(installs)
  }, 1_200_000)

  afterAll(() => packed?.remove())

  describe.each([
    ["oldest", oldest, "typescript"],
    ["newest", newest, "typescript-7"]
  ] as const)("on the %s versions of its peers", (name, versions, compiler) => {
    it("is installed with one copy of each Effect package", async () => {
      const found = await copies(folder(name))
      expect(Object.entries(found).filter(([, copies]) => copies.length !== 1)).toEqual([])
      const chosen = Object.entries(versions).filter(([peer]) => /^(?:@effect\/|effect$)/.test(peer))
      expect(found).toMatchObject(Object.fromEntries(chosen.map(([peer, version]) => [peer, [version]])))
    }, 240_000)

    it(`has types that fit those of the program, by ${compiler}`, async () => {
      await check(folder(name), compiler)
    }, 240_000)

    it("can be imported by every entry point", async () => {
      expect(await evaluate(folder(name), importAll)).toBe(String(entryPoints.length))
    }, 240_000)

    it("parses the arguments of a program", async () => {
      expect(await evaluate(folder(name), askForHelp)).toMatch(/^teapot\n[\s\S]+- migrate /)
    }, 240_000)
  })

  it("has no other way in", async () => {
    const [code] = new Set((await evaluate(folder("newest"), importInternal)).split(" "))
    expect(code).toBe("ERR_PACKAGE_PATH_NOT_EXPORTED")
  }, 240_000)

  it("names the optional package that a layer needs", async () => {
    expect((await evaluate(folder("oldest"), useMissing)).split("\n")).toEqual([
      expect.stringContaining("PostgreSQL needs a package that is not installed. Run: npm install @effect/sql-pg pg"),
      "E-mail by SMTP needs a package that is not installed. Run: npm install nodemailer"
    ])
  }, 240_000)
})

describe("the ranges of the peers", () => {
  it("hold every version that the package itself is tested with", () => {
    const outside = Object.entries(manifest.peerDependencies).filter(([name, range]) => {
      const [, minor = 0] = (newest[name] ?? "").split(".").map(Number)
      const [, least = 0] = (/\d+\.\d+\.\d+/.exec(range)?.[0] ?? "").split(".").map(Number)
      const limit = /<0\.(\d+)\.0$/.exec(range)?.[1]
      return minor < least || (limit !== undefined && minor !== Number(limit) - 1)
    })
    expect(outside).toEqual([])
  })
})
