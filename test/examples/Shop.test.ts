// The example shop on the packed package: compiled, tested by its own tests, and driven in a browser as a process, on
// both databases and with one and two workers.
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Manifest from "../../create/Manifest.ts"
import { minimum } from "../../create/NodeVersion.ts"
import { manifest } from "../../create/Package.ts"
import { root } from "../support/Demo.ts"
import { pack, type Packed, run } from "../support/Packed.ts"
import * as Project from "./Project.ts"
import * as Shop from "./Shop.ts"
import { describeVisit } from "./Visit.ts"

const built = join("dist", "main.js")

describe("the example shop", () => {
  let packed: Packed
  let project: string

  beforeAll(async () => {
    packed = await pack()
    project = await Project.copy(packed, "shop")
    // A test below checks the types.
    const command = join("node_modules", "effect-framework", "dist", "create", "main.js")
    await run(process.execPath, [command, "build"], { cwd: project })
  }, 1_200_000)

  afterAll(() => packed?.remove())

  it("has the commands and dependencies of a new project, and the client of PostgreSQL", () => {
    const stated = JSON.parse(readFileSync(join(root, "examples", "shop", "package.json"), "utf8"))
    const made = JSON.parse(Manifest.print("shop", `^${manifest.version}`, manifest, minimum))
    const { "@effect/sql-pg": client, pg } = manifest.devDependencies
    expect(stated).toEqual({ ...made, dependencies: { ...made.dependencies, "@effect/sql-pg": client, pg } })
  })

  it("has types that its own strict compiler accepts", async () => {
    await run("npm", ["run", "check"], { cwd: project })
  })

  it("passes its own tests", async () => {
    const limits = ["--testTimeout=240000", "--hookTimeout=240000"]
    const env = { ...process.env, NO_COLOR: "1" }
    const { stdout } = await run("npm", ["test", "--", ...limits], { cwd: project, env })
    expect(stdout).toMatch(/Tests {2}\d+ passed \(\d+\)/)
  })

  describe.each(Shop.variants)("on $database with WORKERS=$workers", (variant) => {
    const isFirst = variant === Shop.variants[0]
    const scope = Effect.runSync(Scope.make())
    let shop: Shop.Running

    beforeAll(async () => {
      shop = await Effect.runPromise(Scope.extend(Shop.start(project, variant, built), scope))
    })
    afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

    describeVisit(() => shop, isFirst)

    it("has the framework's tables behind its prefix, for its commands too", async () => {
      expect(await shop.command("migrate")).toBe("nothing to apply, the schema is up to date\n")
      expect(await shop.command("keys", "rotate")).toContain("a new key signs cookies")
      const names = await Effect.runPromise(shop.tables)
      expect(names.filter((name) => !name.startsWith("auth_"))).toEqual(["customers", "orders", "products", "reports"])
      expect(names).toEqual(expect.arrayContaining(["auth_users", "auth_mail_queue", "auth_program_migrations"]))
    })

    it("exports its products", async () => {
      const lines = (await shop.command("export", "products")).trimEnd().split("\n")
      expect(lines.map((line) => JSON.parse(line).id)).toEqual(lines.map((_line, index) => index + 1))
    })

    it("has run its job once", async () => {
      await Effect.runPromise(shop.process.says(/The stock report of \S+ is written/))
      const { stderr } = shop.process.output()
      expect(stderr.match(/The stock report of/g)).toHaveLength(1)
    })
  })
})
