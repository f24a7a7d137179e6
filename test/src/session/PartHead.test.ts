import { describe, expect, it } from "@effect/vitest"
import * as PartHead from "../../../src/session/internal/PartHead.ts"

const parse = (parameters: string, type?: string) =>
  PartHead.parse({
    "content-disposition": `form-data; ${parameters}`,
    ...(type !== undefined && { "content-type": type })
  })

describe("The head of a part", () => {
  it.each([
    ['name="a"', { name: "a", type: "text/plain" }],
    ["name=a", { name: "a", type: "text/plain" }],
    ['name="a;b=c"', { name: "a;b=c", type: "text/plain" }],
    ['name="a"; filename=""', { name: "a", filename: "", type: "application/octet-stream" }],
    [
      'name="a"; filename="a %22b%22%0D%0A.png"',
      { name: "a", filename: 'a "b"\r\n.png', type: "application/octet-stream" }
    ],
    ['name="a"; filename="100%.png"', { name: "a", filename: "100%.png", type: "application/octet-stream" }],
    ['name="a"; filename="a \\"b\\".png"', { name: "a", filename: 'a "b".png', type: "application/octet-stream" }],
    [
      'name="a"; filename="C:\\dir\\x.png"',
      { name: "a", filename: "C:\\dir\\x.png", type: "application/octet-stream" }
    ],
    [
      'name="a"; filename="x"; filename*=UTF-8\'\'na%C3%AFve.txt',
      { name: "a", filename: "naïve.txt", type: "application/octet-stream" }
    ],
    [
      "name=\"a\"; filename*=utf-8'en'%E2%82%AC.txt",
      { name: "a", filename: "€.txt", type: "application/octet-stream" }
    ],
    ['name="a"; filename="x"; filename*=KOI8-R\'\'%D0', { name: "a", filename: "x", type: "application/octet-stream" }]
  ])("of %s", (parameters, head) => expect(parse(parameters)).toEqual(head))

  it("has the declared media type without its parameters, in lower case", () => {
    expect(parse('name="a"; filename="x"', "Image/PNG; q=1")?.type).toBe("image/png")
  })

  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\fakepath\\photo.png", "photo.png"],
    ["..", ""],
    ["a/..", ""],
    ["x\u0000\r\n.png", "x.png"],
    ["gpj.\u202eexe.png", "gpj.exe.png"],
    ["  a.png ", "a.png"],
    [`${"x".repeat(10_000)}.png`, `${"x".repeat(196)}.png`]
  ])("shows %j as %j", (filename, shown) => expect(PartHead.baseName(filename)).toBe(shown))
})
