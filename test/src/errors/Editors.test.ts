import { describe, expect, it } from "@effect/vitest"
import * as Editors from "../../../src/errors/internal/debug/Editors.ts"
import * as Throwables from "../../support/Throwables.ts"

describe("Editors", () => {
  const place = { file: "/a b/c&d#e?f+g:h.ts", line: 3, column: 0 }

  it("encodes the path for every scheme", () => {
    expect(Editors.link("VS Code", place)).toBe("vscode://file/a%20b/c%26d%23e%3Ff%2Bg%3Ah.ts:3:1")
    expect(Editors.link("WebStorm", place)).toBe("webstorm://open?file=/a%20b/c%26d%23e%3Ff%2Bg%3Ah.ts&line=3&column=1")
  })

  it("never becomes another scheme", () => {
    for (const text of Throwables.texts) {
      expect(Editors.link("Zed", { ...place, file: `/${text}` })).toMatch(/^zed:\/\/file\/[^\s"'<>]*:3:1$/)
    }
  })
})
