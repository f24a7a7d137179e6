// The package as its users get it: packed, installed into an empty folder, imported by plain Node.
import { describe, expect, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)
const root = fileURLToPath(new URL("..", import.meta.url))

// Built in a copy, so that a run of the tests does not pull `dist` from under another one.
const copied = [
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "README.md",
  "LICENSE",
  "src",
  "layers",
  "routes",
  "demo"
]

const program = `
import { Effect, Layer, Option, Redacted } from "effect"
import { AuthSettings, Cursor, Tokens, Users } from "effect-framework"
import { Database, Migrations, SqlAuthentication } from "effect-framework/layers"
import { DatabaseUrl } from "effect-framework"
import { AuthRoutes, Pipeline } from "effect-framework/routes"

const database = Database.layer(DatabaseUrl.Sqlite({ path: "app.sqlite" }))
const auth = SqlAuthentication.layer.pipe(
  Layer.provide(AuthSettings.layerWith({ argon2: { memory: 19456, time: 2 } })),
  Layer.provide(Migrations.layer),
  Layer.provide(database)
)
const flow = Effect.gen(function* () {
  const users = yield* Users.Users
  const tokens = yield* Tokens.Tokens
  const id = yield* users.enroll("ada@example.com", Redacted.make("a long enough secret"))
  const token = yield* tokens.mint(id, "verification")
  const owner = yield* tokens.redeem(token.value, "verification")
  const again = yield* tokens.redeem(token.value, "verification")
  return { same: Option.contains(owner, id), again: Option.isSome(again) }
})
const result = await Effect.runPromise(Effect.provide(flow, auth))
console.log(JSON.stringify({ ...result, routes: Pipeline.pages(AuthRoutes.routes).length, cursor: Cursor.encode !== undefined }))
`

const consumer = `
import { Effect, type Option } from "effect"
import { type Identity, Users } from "effect-framework"

export const who = (email: string): Effect.Effect<Option.Option<Identity.Identity>, never, Users.Users> =>
  Effect.flatMap(Users.Users, (users) => users.fetch(email))
`

describe("the package", () => {
  it("works from its tarball: layers and routes under plain Node, types under the strict compiler", async () => {
    const folder = mkdtempSync(join(tmpdir(), "effect-framework-package-"))
    try {
      const source = join(folder, "source")
      for (const name of copied) cpSync(join(root, name), join(source, name), { recursive: true })
      symlinkSync(join(root, "node_modules"), join(source, "node_modules"))
      const { stdout: packed } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: source })
      const [tarball] = JSON.parse(packed.slice(packed.indexOf("["))) as ReadonlyArray<{
        readonly filename: string
        readonly files: ReadonlyArray<{ readonly path: string }>
      }>
      const paths = tarball?.files.map(({ path }) => path) ?? []
      expect(paths).toContain("dist/src/index.d.ts")
      expect(paths).toContain("LICENSE")
      expect(
        paths.filter((path) => !/^(?:dist\/(?:src|layers|routes)\/|package\.json$|README\.md$|LICENSE$)/.test(path))
      ).toEqual([])

      rmSync(source, { recursive: true })
      writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }))
      const install = [
        "install",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--prefer-offline",
        `./${tarball?.filename}`
      ]
      await run("npm", install, { cwd: folder })
      // Compiling the SQLite driver again would take minutes and show nothing new: the one that is here is lent.
      const binary = join("node_modules", "better-sqlite3", "build", "Release")
      mkdirSync(join(folder, binary), { recursive: true })
      cpSync(join(root, binary, "better_sqlite3.node"), join(folder, binary, "better_sqlite3.node"))

      writeFileSync(join(folder, "app.mjs"), program)
      const { stdout } = await run(process.execPath, ["app.mjs"], { cwd: folder })
      expect(JSON.parse(stdout)).toEqual({ same: true, again: false, routes: expect.any(Number), cursor: true })

      writeFileSync(join(folder, "app.ts"), consumer)
      const compiler = join(root, "node_modules", "typescript", "bin", "tsc")
      const options = [
        "--noEmit",
        "--strict",
        "--exactOptionalPropertyTypes",
        "--skipLibCheck",
        "--module",
        "NodeNext",
        "--target",
        "ES2022"
      ]
      await run(process.execPath, [compiler, ...options, "app.ts"], { cwd: folder })
      expect(readFileSync(join(folder, "node_modules", "effect-framework", "package.json"), "utf8")).toContain(
        '"./layers"'
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }, 300_000)
})
