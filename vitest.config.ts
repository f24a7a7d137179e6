import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config"
import { Sequencer } from "./test/support/Sequencer.ts"

// The examples of the documentation import the package by its name, as a program of one's own does.
const folder = (path: string) => fileURLToPath(new URL(`./${path}`, import.meta.url))

// `npm test` runs the projects `shared` and `smoke`, `npm run test:release` the other two. The files of `shared` and
// `postgres` share a few threads, and the others, which start programs and browsers, a few processes: importing Effect anew
// takes longer than most of them.
const shared = ["src", "routes", "layers"].map((name) => `test/${name}/**/!(*.processes).test.ts`)

const smoke = ["Architecture", "EntryPoints", "demo/Auth", "demo/Settings"].map((name) => `test/${name}.test.ts`)

// The route tests that run on each database: in `shared` on SQLite, in `postgres` on PostgreSQL.
const postgres = readdirSync(folder("test/routes"), { recursive: true, encoding: "utf8" })
  .map((path) => `test/routes/${path}`)
  .filter(
    (path) => path.endsWith(".test.ts") && /^ *describe(Databases|Profiles)\(/m.test(readFileSync(folder(path), "utf8"))
  )

const resolve = {
  alias: [
    { find: /^effect-framework$/, replacement: folder("app/index.ts") },
    { find: /^effect-framework\/testing$/, replacement: folder("testing/index.ts") },
    { find: /^effect-framework\/(layers|routes)\/(\w+)$/, replacement: folder("$1/$2/index.ts") },
    { find: /^effect-framework\/(\w+)$/, replacement: folder("src/$1/index.ts") }
  ]
}

const seed = "test/support/SeedSetup.ts"
const setupFiles = [seed, "test/support/MethodsSetup.ts", "test/support/PostgresVariable.ts"]

// A test that waits for a process or a browser takes as long as the machine is busy: only a test that hangs ends here.
const timeouts = { testTimeout: 240_000, hookTimeout: 240_000 }

// One PostgreSQL and one build of the demo for all projects: a project that extended this would make its own.
const globalSetup = ["test/support/PostgresSetup.ts", "test/support/DemoSetup.ts"]

/** What `npm run fuzz` has: one project, each file in a process of its own. */
export const fuzz = {
  resolve,
  test: {
    globalSetup,
    setupFiles: [seed],
    provide: { routeDatabases: ["SQLite" as const, "PostgreSQL" as const] },
    pool: "forks" as const,
    ...timeouts
  }
}

const project = (name: string, pool: "threads" | "forks", options: TestProjectInlineConfiguration["test"]) => ({
  resolve,
  test: { name, pool, setupFiles, ...timeouts, ...options }
})

export default defineConfig({
  test: {
    globalSetup,
    sequence: { sequencer: Sequencer },
    poolOptions: {
      threads: { isolate: false, minThreads: 2, maxThreads: 2 },
      // Many of these files wait for processes and browsers.
      forks: { isolate: false, minForks: 3, maxForks: 3 }
    },
    projects: [
      project("shared", "threads", { include: shared, provide: { routeDatabases: ["SQLite"] } }),
      project("smoke", "forks", { include: smoke }),
      project("postgres", "threads", { include: postgres, provide: { routeDatabases: ["PostgreSQL"] } }),
      project("programs", "forks", {
        include: ["test/**/*.test.ts", "docs/examples/*.test.ts"],
        exclude: [...shared, ...smoke]
      })
    ]
  }
})
