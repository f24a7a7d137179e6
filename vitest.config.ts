import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// The examples of the documentation import the package by its name, as a program of one's own does.
const folder = (path: string) => fileURLToPath(new URL(`./${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^effect-framework$/, replacement: folder("src/index.ts") },
      { find: /^effect-framework\/(cli|testing)$/, replacement: folder("$1/index.ts") },
      { find: /^effect-framework\/(layers|routes)\/(\w+)$/, replacement: folder("$1/$2/index.ts") },
      { find: /^effect-framework\/(\w+)$/, replacement: folder("src/$1/index.ts") }
    ]
  },
  test: {
    include: ["test/**/*.test.ts", "docs/examples/*.test.ts"],
    setupFiles: ["test/support/SeedSetup.ts"],
    globalSetup: ["test/support/PostgresSetup.ts", "test/support/DemoSetup.ts"],
    pool: "forks",
    // Many files wait for processes and browsers: a third one fills the gaps of two.
    poolOptions: { forks: { maxForks: 3, minForks: 1 } },
    // A test that waits for a process or a browser takes as long as the machine is busy: only a test that hangs ends here.
    testTimeout: 240_000,
    hookTimeout: 240_000
  }
})
