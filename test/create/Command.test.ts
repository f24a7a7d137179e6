// `effect-framework new`: what it writes, what it refuses, and with which status.
import { afterAll, describe, expect, it } from "@effect/vitest"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { command } from "../../create/Command.ts"
import { manifest } from "../../create/Package.ts"

const cwd = mkdtempSync(join(tmpdir(), "effect-framework-cli-"))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const given = (...words: ReadonlyArray<string>) => command(words, cwd)
const read = (path: string) => readFileSync(join(cwd, path), "utf8")

describe("effect-framework", () => {
  it("writes a project under its own name, with the versions that this one was tested with", () => {
    const { err, out, status } = given("new", "tea-shop")
    expect([status, err]).toEqual([0, ""])
    expect(out).toContain("  cd tea-shop && npm install\n  npm run dev\n")
    const { dependencies, devDependencies, name, scripts } = JSON.parse(read("tea-shop/package.json"))
    expect(name).toBe("tea-shop")
    expect(dependencies).toMatchObject({
      "effect-framework": `^${manifest.version}`,
      effect: manifest.devDependencies["effect"]
    })
    expect(scripts).toMatchObject({
      start: "node dist/main.js",
      migrate: "tsx src/main.ts migrate",
      queue: "tsx src/main.ts queue",
      ship: "tsx src/main.ts ship",
      keys: "tsx src/main.ts keys",
      export: "tsx src/main.ts export"
    })
    expect(devDependencies).toMatchObject({ vitest: manifest.devDependencies["vitest"] })
    expect(read("tea-shop/.gitignore")).toContain("node_modules/")
    expect(read("tea-shop/src/Home.ts")).toContain("Welcome to tea-shop")
    for (const path of readdirSync(join(cwd, "tea-shop"), { recursive: true, withFileTypes: true })) {
      if (path.isFile()) expect(readFileSync(join(path.parentPath, path.name), "utf8")).not.toContain("my-app")
    }
  })

  it("says what to run in a folder that has a space, and in this one", () => {
    mkdirSync(join(cwd, "my things"))
    expect(given("new", "my things/cups").out).toContain('cd "my things/cups" && npm install')
    mkdirSync(join(cwd, "here"))
    expect(command(["new", "."], join(cwd, "here")).out).toContain("\n  npm install\n")
  })

  it("takes a folder in which a repository was begun", () => {
    mkdirSync(join(cwd, "begun", ".git"), { recursive: true })
    expect(given("new", "begun").status).toBe(0)
  })

  it("refuses a folder that is not empty, and touches nothing in it", () => {
    mkdirSync(join(cwd, "full"))
    writeFileSync(join(cwd, "full", "package.json"), "mine")
    const { err, out, status } = given("new", "full")
    expect([status, out]).toEqual([1, ""])
    expect(err).toBe(`${join(cwd, "full")} is not empty; nothing was written.\n`)
    expect([readdirSync(join(cwd, "full")), read("full/package.json")]).toEqual([["package.json"], "mine"])
  })

  it("refuses a file in place of the folder", () => {
    writeFileSync(join(cwd, "file"), "")
    expect(given("new", "file")).toMatchObject({ status: 1, err: expect.stringContaining("is a file") })
  })

  it.each([
    ["no arguments", [], "No command given."],
    ["an unknown command", ["make", "x"], "There is no command make."],
    ["no folder", ["new"], "Give one folder"],
    ["two folders", ["new", "a", "b"], "Give one folder"],
    ["an unknown option", ["new", "a", "--colour"], "--colour"],
    ["a folder that no package can be named after", ["new", "Bad Name"], "is not a valid package name"]
  ])("ends %s with status 2", (_, words, reason) => {
    const { err, out, status } = given(...words)
    expect([status, out]).toEqual([2, ""])
    expect(err).toContain(reason)
    expect(existsSync(join(cwd, "a"))).toBe(false)
  })

  it("explains itself", () => {
    for (const words of [["--help"], ["-h"], ["help"], ["new", "--help"], ["new", "tea", "-h"]]) {
      expect(given(...words)).toMatchObject({ status: 0, err: "", out: expect.stringContaining("--framework SPEC") })
    }
    expect(existsSync(join(cwd, "tea"))).toBe(false)
    expect(given("--version")).toEqual({ status: 0, err: "", out: `${manifest.version}\n` })
  })
})
