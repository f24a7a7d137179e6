// The pictures of the README and of the guide to providers: there, small, and of the size that their script takes them in.
import { describe, expect, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { pictures } from "../../docs/tools/Pictures.ts"
import { root } from "../support/Demo.ts"
import { read } from "./Pages.ts"

const run = promisify(execFile)
const folder = join(root, "docs", "pictures")
const all = Object.values(pictures)

describe("the pictures", () => {
  it("are those that the script takes", () => {
    const taken = readdirSync(folder).filter((file) => file.endsWith(".png"))
    expect(taken.sort()).toEqual(all.map(({ file }) => file).sort())
  })

  it.each(all)("are PNG images below 120 KiB, shown on a page: $file", ({ file, viewport }) => {
    const bytes = readFileSync(join(folder, file))
    expect(bytes.subarray(0, 8)).toEqual(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([viewport.width, viewport.height])
    expect(bytes.length).toBeLessThan(120 * 1024)
    const pages = read("README.md") + read("docs/providers.md")
    expect(pages).toMatch(new RegExp(`!\\[[^\\]]{10,}\\]\\((docs/)?pictures/${file}\\)`))
  })

  it("are taken by a program that says how", async () => {
    const { stdout } = await run(process.execPath, ["--import", "tsx", "docs/tools/main.ts", "--help"], { cwd: root })
    expect(stdout).toContain("takes docs/pictures from the running demo")
  })

  it("are not taken by a program that was asked for something else", async () => {
    const asked = run(process.execPath, ["--import", "tsx", "docs/tools/main.ts", "paintings"], { cwd: root })
    await expect(asked).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining("Usage") })
  })
})
