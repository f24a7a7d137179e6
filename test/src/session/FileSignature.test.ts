import { describe, expect, it } from "@effect/vitest"
import * as FileSignature from "../../../src/session/internal/FileSignature.ts"

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")
const jpeg = Buffer.from("ffd8ffe000104a464946", "hex")
const zip = Buffer.from("504b030414000000", "hex")
const html = Buffer.from("<script>alert(1)</script>")
const pictures = ["image/png", "image/jpeg"]
const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

describe("The type of a file", () => {
  it.each([
    ["what it says and is", "image/png", png, pictures, "image/png"],
    ["an alias", "image/jpg", jpeg, pictures, "image/jpeg"],
    ["another accepted picture than it says", "image/jpeg", png, pictures, "image/png"],
    ["accepted by its bytes, but declared as something else", "application/octet-stream", png, pictures, undefined],
    ["a script that says it is a picture", "image/png", html, pictures, undefined],
    ["nothing, and says it is a picture", "image/png", Buffer.alloc(0), pictures, undefined],
    ["an archive that says it is a picture", "image/png", zip, pictures, undefined],
    ["an archive that says it is text", "text/csv", zip, ["text/csv"], undefined],
    ["a spreadsheet", sheet, zip, [sheet], sheet],
    ["text, which has no signature", "text/csv", Buffer.from("a,b"), ["text/csv"], "text/csv"],
    ["anything where anything is accepted", "image/png", html, undefined, "image/png"]
  ])("is checked when it is %s", (_, declared, bytes, allowed, type) => {
    expect(FileSignature.check(declared, bytes, allowed)).toBe(type)
  })
})
