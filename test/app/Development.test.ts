// `effect-framework dev` on a small program: each test saves files and reads what is served.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SourceMaps from "../../layers/errors/internal/SourceMaps.ts"
import { bundle } from "../support/Bundle.ts"
import { folder, root, start } from "../support/Demo.ts"

const main = `
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { tea } from "./tea.ts"

const beside: string = readFileSync(new URL("./beside.txt", import.meta.url), "utf8")
const server = createServer((_, response) => response.end(tea + beside + process.env["FRAMEWORK_ENVIRONMENT"]))
server.listen(Number(process.env["PORT"]), "127.0.0.1", () => {
  const address = server.address()
  const port = typeof address === "object" ? address?.port : ""
  console.log(\`\${tea} is served at http://127.0.0.1:\${port} by \${process.pid}\`)
})
process.once("SIGTERM", () => process.exit(0))
`

const save = (project: string, name: string, text: string) =>
  Effect.sync(() => writeFileSync(join(project, "src", name), text))

const develop = Effect.gen(function* () {
  const project = realpathSync(yield* folder)
  mkdirSync(join(project, "src"))
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"))
  return yield* developed(project, `export const tea: string = "assam"`)
})

const developed = Effect.fnUntraced(function* (project: string, tea: string) {
  yield* save(project, "main.ts", main)
  yield* save(project, "beside.txt", ", with milk, in ")
  yield* save(project, "tea.ts", tea)
  return yield* started(project)
})

const started = Effect.fnUntraced(function* (project: string) {
  const dev = yield* start([bundle("../../create/main.ts"), "dev"], { PORT: "0" }, project)
  // Killed, it would leave its program behind.
  yield* Effect.addFinalizer(() =>
    Effect.zipRight(
      Effect.sync(() => dev.signal("SIGTERM")),
      dev.ended
    )
  )
  const serving = (tea: string) =>
    Effect.map(dev.says(new RegExp(`${tea} is served at (\\S+) by (\\d+)`)), ([, url = "", pid = ""]) => ({
      pid: Number(pid),
      get: Effect.promise(async () => (await fetch(url, { headers: { connection: "close" } })).text())
    }))
  return { dev, project, serving }
})

// A package on Effect, and one that has nothing to do with it.
const packages = {
  "tea-on-effect": {
    manifest: { type: "module", exports: "./index.js", peerDependencies: { effect: "*" } },
    text: (version: number) =>
      `import compiled from "argon2"; export { succeed } from "effect/Effect"; export const version = ${version} + compiled`
  },
  milk: {
    manifest: { type: "module", exports: "./index.js" },
    text: () => `export const milk = new URL("./index.js", import.meta.url).pathname`
  }
}

const install = (project: string, name: keyof typeof packages, version = 1) => {
  const at = join(project, "node_modules", name)
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, "package.json"), JSON.stringify({ name, ...packages[name].manifest }))
  writeFileSync(join(at, "index.js"), packages[name].text(version))
}

const withEffect = Effect.gen(function* () {
  const project = realpathSync(yield* folder)
  mkdirSync(join(project, "src"))
  mkdirSync(join(project, "node_modules"))
  for (const name of ["effect", "esbuild"]) {
    symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name))
  }
  return project
})

const bundling = /Bundling Effect and the packages on it/

const brewed = (kind: string) => `import { Effect } from "effect"
  export const tea: string = Effect.runSync(Effect.succeed("${kind}"))`

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("effect-framework dev", () => {
  it.scopedLive("serves the program, and the new form of a saved file", () =>
    Effect.gen(function* () {
      const { dev, project, serving } = yield* develop
      const first = yield* serving("assam")
      expect(yield* first.get).toBe("assam, with milk, in development")
      yield* save(project, "tea.ts", `export const tea: string = "darjeeling"`)
      const second = yield* serving("darjeeling")
      expect(yield* second.get).toBe("darjeeling, with milk, in development")
      expect(isAlive(first.pid)).toBe(false)
      dev.signal("SIGTERM")
      expect(yield* dev.ended).toMatchObject({ code: 0 })
      expect(isAlive(second.pid)).toBe(false)
    })
  )

  it.scopedLive("prints a syntax error, and keeps the last version", () =>
    Effect.gen(function* () {
      const { dev, project, serving } = yield* develop
      const first = yield* serving("assam")
      yield* save(project, "tea.ts", `export const tea: string = "darjeeling`)
      yield* dev.says(/src\/tea\.ts:1:\d+/)
      expect(dev.output().stderr).toMatch(/Unterminated string literal/)
      expect(yield* first.get).toBe("assam, with milk, in development")
      yield* save(project, "tea.ts", `export const tea: string = "ceylon"`)
      expect(yield* (yield* serving("ceylon")).get).toBe("ceylon, with milk, in development")
    })
  )

  it.scopedLive("has the sources that an error page shows", () =>
    Effect.gen(function* () {
      const { project, serving } = yield* develop
      yield* serving("assam")
      const maps = SourceMaps.make(() => true)
      maps.openNow(join(project, "dist", "dev", "main.js"))
      expect(maps.original(join(project, "src", "tea.ts"))?.text()).toContain("assam")
    })
  )

  it.scopedLive("bundles Effect and the packages on it once, until they or what is imported of them change", () =>
    Effect.gen(function* () {
      const project = yield* withEffect
      install(project, "tea-on-effect")
      install(project, "milk")
      // A package with a compiled part that only the one finds that needs it.
      const compiled = join(project, "node_modules", "tea-on-effect", "node_modules", "argon2")
      mkdirSync(compiled, { recursive: true })
      writeFileSync(join(compiled, "index.js"), `module.exports = require("path").basename(__dirname)`)
      const tea = (kind: string, more = "") => `import { Effect } from "effect"
        import { succeed, version } from "tea-on-effect"
        import { milk } from "milk"
        ${more}
        export const tea: string = ["${kind}", version, Effect.succeed === succeed, milk].join(",")`
      const { dev, serving } = yield* developed(project, tea("assam"))
      const bundled = () => dev.output().stderr.split(bundling).length - 1
      const milk = join(project, "node_modules", "milk", "index.js")
      const shows = (kind: string, text: string) =>
        Effect.gen(function* () {
          expect(yield* (yield* serving(`${kind},\\S+`)).get).toBe(`${text}, with milk, in development`)
        })
      yield* shows("assam", `assam,1argon2,true,${milk}`)
      expect(bundled()).toBe(1)
      yield* save(project, "tea.ts", tea("ceylon"))
      yield* shows("ceylon", `ceylon,1argon2,true,${milk}`)
      expect(bundled()).toBe(1)
      install(project, "tea-on-effect", 2)
      yield* save(project, "tea.ts", tea("darjeeling"))
      yield* shows("darjeeling", `darjeeling,2argon2,true,${milk}`)
      expect(bundled()).toBe(2)
      yield* save(project, "tea.ts", tea("nilgiri", `import { succeed as another } from "effect/Exit"; void another`))
      yield* shows("nilgiri", `nilgiri,2argon2,true,${milk}`)
      expect(bundled()).toBe(3)
    })
  )

  it.scopedLive("starts nothing any more when it is told to stop while it bundles", () =>
    Effect.gen(function* () {
      const { dev } = yield* developed(yield* withEffect, brewed("assam"))
      yield* dev.says(bundling)
      dev.signal("SIGTERM")
      expect(yield* dev.ended).toMatchObject({ code: 0 })
      expect(dev.output().stdout).toBe("")
    })
  )

  it.scopedLive("bundles again what was killed in the middle", () =>
    Effect.gen(function* () {
      const project = yield* withEffect
      const first = yield* developed(project, brewed("assam"))
      yield* first.serving("assam")
      first.dev.signal("SIGTERM")
      yield* first.dev.ended
      yield* save(project, "tea.ts", `import "effect/Exit"; ${brewed("assam")}`)
      const killed = yield* started(project)
      yield* killed.dev.says(bundling)
      killed.dev.signal("SIGKILL")
      yield* killed.dev.ended
      // It imports only what the first one has bundled.
      yield* save(project, "tea.ts", brewed("ceylon"))
      const { dev, serving } = yield* started(project)
      expect(yield* (yield* serving("ceylon")).get).toBe("ceylon, with milk, in development")
      expect(dev.output().stderr).toMatch(bundling)
    })
  )

  it.scopedLive("prints what no package has, and keeps the last version", () =>
    Effect.gen(function* () {
      const project = yield* withEffect
      const { dev, serving } = yield* developed(project, brewed("assam"))
      const first = yield* serving("assam")
      yield* save(project, "tea.ts", `import { none } from "effect/Nothing"; ${brewed("darjeeling")} + none`)
      yield* dev.says(/Could not resolve "effect\/Nothing"/)
      expect(yield* first.get).toBe("assam, with milk, in development")
      yield* save(project, "tea.ts", brewed("ceylon"))
      expect(yield* (yield* serving("ceylon")).get).toBe("ceylon, with milk, in development")
    })
  )

  it.scopedLive("says when esbuild is not installed", () =>
    Effect.gen(function* () {
      const dev = yield* start([bundle("../../create/main.ts"), "dev"], {}, yield* folder)
      expect(yield* dev.ended).toMatchObject({ code: 1 })
      expect(dev.output().stderr).toBe("esbuild is not installed: npm install --save-dev esbuild\n")
    })
  )
})
