import { afterEach, beforeEach, describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PrivateFiles from "../../../layers/server/internal/PrivateFiles.ts"

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "private-files-"))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (name: string) => join(root, name)
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)

const write = (name: string, mode: number): string => {
  writeFileSync(at(name), "")
  chmodSync(at(name), mode)
  return at(name)
}

const make = (name: string, mode: number): string => {
  mkdirSync(at(name))
  chmodSync(at(name), mode)
  return at(name)
}

describe("private files", () => {
  it.prop(
    "lose the permissions of other users and keep those of their owner's private mode",
    [FastCheck.integer({ min: 0, max: 0o377 })],
    ([bits]) => {
      const path = write("file", 0o400 | bits)
      const isOpen = (bits & 0o077) !== 0
      expect(PrivateFiles.file(path)).toEqual({ wasOpen: isOpen, exposed: [] })
      expect(modeOf(path)).toBe(isOpen ? "600" : (0o400 | bits).toString(8))
    }
  )

  it("do not have to exist", () => {
    expect(PrivateFiles.file(at("missing"))).toEqual({ wasOpen: false, exposed: [] })
    expect(PrivateFiles.filesOf(at("missing"))).toEqual([])
  })

  it("are not reached through a link", () => {
    const target = write("target", 0o644)
    symlinkSync(target, at("link"))
    expect(PrivateFiles.file(at("link"))).toEqual({ wasOpen: false, exposed: [] })
    expect(modeOf(target)).toBe("644")
  })

  it("of a folder are all made private, without its subfolders", () => {
    const [file, folder] = [write("file", 0o644), make("folder", 0o755)]
    expect(PrivateFiles.filesOf(root)).toEqual([])
    expect([modeOf(file), modeOf(folder)]).toEqual(["600", "755"])
  })
})

describe("a private folder", () => {
  it("is closed to other users", () => {
    const path = make("storage", 0o755)
    expect(PrivateFiles.folder(path)).toEqual({ wasOpen: true, exposed: [] })
    expect(modeOf(path)).toBe("700")
  })

  it("is left as it is and reported when all users share it", () => {
    const path = make("tmp", 0o1777)
    expect(PrivateFiles.folder(path).exposed).toEqual([{ path, reason: "it is shared by all users" }])
    expect(modeOf(path)).toBe("1777")
  })

  it("is reported when it is a file", () => {
    const path = write("storage", 0o644)
    expect(PrivateFiles.folder(path).exposed).toEqual([{ path, reason: "it is not a folder" }])
  })
})

describe("PrivateFiles.contains", () => {
  it.each([
    ["/a", "/a", true],
    ["/a", "/a/b/c", true],
    ["/a", "/a/../a/b", true],
    ["/a", "/a/..b", true],
    ["/a", "/ab", false],
    ["/a", "/a/../b", false],
    ["/a/b", "/a", false]
  ])("%s, %s: %s", (folder, path, expected) => {
    expect(PrivateFiles.contains(folder, path)).toBe(expected)
  })
})
