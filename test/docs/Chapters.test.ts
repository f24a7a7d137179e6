// The tutorial marks what each chapter changes in a file that was there before.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync } from "node:fs"
import { template } from "../../create/Package.ts"
import * as Demo from "../support/Demo.ts"
import * as Chapters from "./Chapters.ts"
import { read } from "./Pages.ts"

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

describe("the files of the last chapter", () => {
  const replaced = (path: string, names: Readonly<Record<string, string>>): string =>
    Object.entries(names).reduce((text, [from, to]) => text.replaceAll(from, to), read(path))
  const shown = Chapters.chapters.at(-1)?.blocks.map(({ text }) => text) ?? []

  it("are the unit and the proxy of the guide, which its tests check, with the names of the club", () => {
    const unit = replaced("docs/examples/app.service", {
      "effect-framework demo": "The log of the bird club",
      "dist/demo/main.js": "dist/main.js",
      "app.example.com": "birds.example.com",
      "WORKERS=4": "WORKERS=2",
      "/srv/app": "/srv/birds",
      "/var/lib/app": "/var/lib/birds",
      "/etc/app.env": "/etc/birds.env",
      "User=app": "User=birds",
      "StateDirectory=app": "StateDirectory=birds"
    })
    const proxy = replaced("docs/examples/nginx.conf", {
      "app.example.com": "birds.example.com",
      "upstream app": "upstream birds",
      "http://app;": "http://birds;"
    })
    expect(shown).toContain(unit)
    expect(shown).toContain(proxy)
  })

  it("name settings that there are", () => {
    const environment = shown.find((text) => text.startsWith("DATABASE_URL=")) ?? ""
    const names = Array.from(environment.matchAll(/^([A-Z_]+)=/gm), ([, name = ""]) => name)
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((name) => !read("docs/deployment.md").includes(`| \`${name}\` |`))).toEqual([])
  })
})
