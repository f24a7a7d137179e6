// The scripts of a new project, and the driver of SQLite by the Node.js that it is made with.
import { describe, expect, it } from "@effect/vitest"
import * as Manifest from "../../create/Manifest.ts"
import { manifest, template } from "../../create/Package.ts"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const printed = (node: string) => JSON.parse(Manifest.print("tea-shop", "^0.1.0", manifest, node))

describe("The package.json of a new project", () => {
  it("has no script that its README does not tell of", () => {
    const readme = readFileSync(join(template, "README.md"), "utf8")
    const scripts = Object.keys(printed("22.14.0").scripts).filter((name) => name !== "prestart")
    expect(scripts.length).toBeGreaterThan(9)
    expect(scripts.filter((name) => !new RegExp(`\\bnpm (?:run )?${name}\\b`).test(readme))).toEqual([])
  })

  it("has every package that its README does not tell to install", () => {
    const readme = readFileSync(join(template, "README.md"), "utf8")
    const { dependencies } = printed("22.14.0")
    const told = Array.from(readme.matchAll(/npm install ([^`\n]+)/g), ([, names = ""]) => names.split(" ")).flat()
    const names = told.map((name) => name.replace(/(?<=.)@.*$/, ""))
    expect(names).toContain("pg")
    expect(names.filter((name) => Object.hasOwn(dependencies, name))).toEqual([])
  })

  it.each(["20.19.0", "20.20.2", "22.13.1"])("has the framework's driver on Node.js %s", (node) => {
    expect(printed(node)).toMatchObject({ overrides: manifest.overrides, engines: manifest.engines })
    expect(printed(node).overrides).not.toHaveProperty("better-sqlite3")
  })

  it.each(["22.14.0", "24.21.0", "26.10.0"])("has one that needs no compiler on Node.js %s", (node) => {
    expect(printed(node)).toMatchObject({
      overrides: { ...manifest.overrides, "better-sqlite3": "^13.0.3" },
      engines: { node: ">=22.14" }
    })
  })
})
