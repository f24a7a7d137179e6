// The driver of SQLite that a new project is given, by the Node.js that it is made with.
import { describe, expect, it } from "@effect/vitest"
import * as Manifest from "../../create/Manifest.ts"
import { manifest } from "../../create/Package.ts"

const printed = (node: string) => JSON.parse(Manifest.print("tea-shop", "^0.1.0", manifest, node))

describe("The package.json of a new project", () => {
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
