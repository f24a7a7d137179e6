import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Glob from "../../../layers/observability/internal/Glob.ts"
import { folder } from "../../support/Demo.ts"

const letters = (...all: ReadonlyArray<string>) =>
  FastCheck.string({ unit: FastCheck.constantFrom(...all), maxLength: 8 })

/** The same pattern as a regular expression, which takes exponential time and is only good for short ones. */
const expression = (part: string) =>
  new RegExp(
    `^${part.startsWith(".") ? "" : "(?!\\.)"}${part.replace(/[.?*]/g, (char) => ({ ".": "\\.", "?": "." })[char] ?? ".*")}$`
  )

describe("Glob", () => {
  it.prop(
    "matches what the regular expression matches",
    [letters("a", "b", ".", "*", "?"), letters("a", "b", ".")],
    ([part, name]) => {
      expect(Glob.matches(part, name)).toBe(expression(part).test(name))
    }
  )

  it.scopedLive("finds files in the folders that match, sorted, without hidden ones", () =>
    Effect.gen(function* () {
      const root = yield* folder
      for (const name of ["b1", "a1", "c"]) {
        mkdirSync(join(root, name))
        for (const file of ["x.json", ".y.json", "z.txt"]) writeFileSync(join(root, name, file), "")
      }
      expect(Glob.expand(join(root, "?1", "*.json"))).toEqual([join(root, "a1/x.json"), join(root, "b1/x.json")])
      expect(Glob.expand(join(root, "missing", "*"))).toEqual([])
    })
  )
})
