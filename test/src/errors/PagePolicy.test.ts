import { expect, it } from "@effect/vitest"
import * as PagePolicy from "../../../src/errors/internal/PagePolicy.ts"

it("allows files of the site and the inline styles and scripts with the given hashes", () => {
  const policy = PagePolicy.make(["'sha256-a'"], ["'sha256-b'"])
  expect(policy).toContain("default-src 'none'; style-src 'self' 'sha256-a'; script-src 'self' 'sha256-b';")
  expect(PagePolicy.make()).not.toContain("unsafe")
})
