import { expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { VERSION } from "../../../src/config/internal/Version.ts"

it("is the version that package.json has", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"))
  expect(VERSION).toBe(version)
})
