// The tutorial marks what each chapter changes in a file that was there before.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync } from "node:fs"
import { template } from "../../create/Package.ts"
import * as Demo from "../support/Demo.ts"
import * as Chapters from "./Chapters.ts"

describe("a file that a chapter changes", () => {
  it.scopedLive("has its new lines marked, and no other", () =>
    Effect.gen(function* () {
      const project = yield* Demo.folder
      cpSync(template, project, { recursive: true })
      const faults = Chapters.chapters.flatMap((chapter) => {
        Chapters.remove(project, chapter)
        return Chapters.write(project, chapter)
      })
      expect(faults).toEqual([])
      const changed = Chapters.chapters.flatMap(Chapters.filesOf).filter(({ state }) => state === "changed")
      expect(changed.length).toBeGreaterThan(3)
    })
  )

  it.each([
    ["a\nb\n", "a\nb\n", ""],
    ["a\nb\n", "a\nx\ny\nb\nz\n", "2-3,5"],
    ["a\nb\nc\n", "c\n", ""],
    ["", "a\n", "1"]
  ])("%j is %j: %s", (before, after, marks) => {
    expect(Chapters.changedLines(before, after)).toBe(marks)
  })
})
