import { describe, expect, inject, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { once } from "./Once.ts"

describe("once", () => {
  it("makes a text a single time, for all who ask", async () => {
    const name = `once-${randomUUID()}`
    let count = 0
    const make = async (folder: string) => {
      expect([existsSync(folder), dirname(folder)]).toEqual([true, inject("temporaryFolder")])
      await Promise.resolve()
      return `made ${++count}`
    }
    expect(await Promise.all([once(name, make), once(name, make)])).toEqual(["made 1", "made 1"])
    expect(await once(name, make)).toBe("made 1")
  })

  it("fails for all who ask when it could not be made", async () => {
    const name = `once-${randomUUID()}`
    const fail = () => Promise.reject(new Error("no space left"))
    await expect(once(name, fail)).rejects.toThrow("no space left")
    await expect(once(name, () => "made")).rejects.toThrow("no space left")
  })
})
