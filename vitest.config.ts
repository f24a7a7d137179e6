import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

// The examples of the documentation import the package by its name, as a program of one's own does.
const entry = (name: string, folder: string) => ({
  find: new RegExp(`^${name}$`),
  replacement: fileURLToPath(new URL(`./${folder}/index.ts`, import.meta.url))
})

export default defineConfig({
  resolve: {
    alias: [
      entry("effect-framework", "src"),
      entry("effect-framework/layers", "layers"),
      entry("effect-framework/routes", "routes"),
      entry("effect-framework/testing", "testing")
    ]
  },
  test: {
    include: ["test/**/*.test.ts", "docs/examples/*.test.ts"],
    setupFiles: ["test/support/SeedSetup.ts"],
    globalSetup: ["test/support/PostgresSetup.ts", "test/support/DemoSetup.ts"],
    pool: "forks",
    // Many files wait for processes and browsers: a third one fills the gaps of two.
    poolOptions: { forks: { maxForks: 3, minForks: 1 } },
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
