import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/PostgresSetup.ts", "test/support/DemoSetup.ts"],
    pool: "forks",
    // Many files wait for processes and browsers: a third one fills the gaps of two.
    poolOptions: { forks: { maxForks: 3, minForks: 1 } },
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
