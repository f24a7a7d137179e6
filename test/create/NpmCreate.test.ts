// `npm create effect-framework my-app`: the package that npm runs, packed, unpacked and run as npm does.
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join, relative } from "node:path"
import { command } from "../../create/Command.ts"
import { manifest } from "../../create/Package.ts"
import { packCreate, type Packed, run, unpack } from "../support/Packed.ts"

const filesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, "utf8")])
  )

describe("create-effect-framework", () => {
  let packed: Packed
  let program: string

  beforeAll(async () => {
    packed = await packCreate()
    program = await unpack(packed)
  }, 120_000)

  afterAll(() => packed?.remove())

  const created = (...words: ReadonlyArray<string>) =>
    run(process.execPath, [program, ...words], { cwd: packed.folder })

  it("has the framework's version and no dependencies", () => {
    const { dependencies, name, peerDependencies, version } = JSON.parse(
      readFileSync(join(packed.folder, "package", "package.json"), "utf8")
    )
    expect({ dependencies, name, peerDependencies, version }).toEqual({
      name: "create-effect-framework",
      version: manifest.version
    })
  })

  it("holds the template and one program, which imports only what Node.js has", () => {
    const others = packed.paths.filter((path) => !path.startsWith("package/template/"))
    expect(others.sort()).toEqual(
      ["README.md", "package.json", "package/LICENSE", "package/create.js", "package/package.json"].sort()
    )
    const imported = readFileSync(program, "utf8").matchAll(/^import .* from "([^"]+)"|\bimport\("([^"]+)"\)/gm)
    const names = Array.from(imported, ([, stated, loaded]) => stated ?? loaded ?? "")
    expect(names.length).toBeGreaterThan(2)
    expect(names.filter((name) => !isBuiltin(name))).toEqual([])
  })

  it("writes the files that effect-framework new writes", async () => {
    const { stderr, stdout } = await created("tea-shop")
    expect(stderr).toBe("")
    expect(stdout).toMatch(
      /^tea-shop created with \d+ files\. Next:\n\n {2}cd tea-shop && npm install\n {2}npm run dev\n$/
    )
    const other = join(packed.folder, "other")
    mkdirSync(other)
    expect(command(["new", "tea-shop"], other).status).toBe(0)
    const files = filesOf(join(packed.folder, "tea-shop"))
    expect(Object.keys(files)).toEqual(expect.arrayContaining(["package.json", ".gitignore", "src/main.ts"]))
    expect(files).toEqual(filesOf(join(other, "tea-shop")))
  })

  it("takes the framework from where it is told", async () => {
    await created("cups", "--framework", "file:../effect-framework.tgz")
    const { dependencies } = JSON.parse(readFileSync(join(packed.folder, "cups", "package.json"), "utf8"))
    expect(dependencies["effect-framework"]).toBe("file:../effect-framework.tgz")
  })

  it("explains itself, and says so when it does not understand", async () => {
    expect((await created("--help")).stdout).toMatch(/^Usage: npm create effect-framework FOLDER/)
    expect((await created("--version")).stdout).toBe(`${manifest.version}\n`)
    for (const words of [[], ["one", "two"], ["--colour"], ["Bad Name"]]) {
      await expect(created(...words)).rejects.toMatchObject({ code: 2, stdout: "" })
    }
  })
})
