// The parser, over every way in which a body can be split.
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as MultipartParser from "../../../layers/session/internal/MultipartParser.ts"
import type { PartEvent } from "../../../src/session/internal/Uploads.ts"

const type = 'multipart/form-data; boundary="----x-Y"'

const run = (chunks: ReadonlyArray<Uint8Array>, contentType = type): ReadonlyArray<unknown> => {
  const parser = MultipartParser.make(contentType, 1000)
  if (parser === undefined) return ["no boundary"]
  const events: ReadonlyArray<PartEvent> = [...chunks.flatMap((chunk) => [...parser.write(chunk)]), ...parser.end()]
  const found: Array<unknown> = []
  let content: Array<Uint8Array> = []
  for (const event of events) {
    if (event._tag === "Field") found.push([event.head.name, Buffer.from(event.value).toString()])
    else if (event._tag === "FileStart") found.push(event.head)
    else if (event._tag === "FileBytes") content.push(event.bytes)
    else if (event._tag === "FileEnd") {
      found.push(Buffer.concat(content).toString("latin1"))
      content = []
    } else found.push(event._tag)
  }
  return found
}

const crlf = (...lines: ReadonlyArray<string>): Buffer => Buffer.from(lines.join("\r\n"))

const body = crlf(
  "------x-Y",
  'Content-Disposition: form-data; name="_token"',
  "",
  "one",
  "------x-Y",
  'Content-Disposition: form-data; name="empty"',
  "",
  "",
  "------x-Y",
  'Content-Disposition: form-data; name="picture"; filename="Bildschirmfoto\u202f2 – 日本.png"',
  "Content-Type: image/png",
  "",
  "A\r\n------x-\r\n\r\n----\r\n------x-y\r\n-",
  "------x-Y--",
  ""
)

const expected = [
  ["_token", "one"],
  ["empty", ""],
  { name: "picture", filename: "Bildschirmfoto\u202f2 – 日本.png", type: "image/png" },
  "A\r\n------x-\r\n\r\n----\r\n------x-y\r\n-",
  "Done"
]

describe("A multipart body", () => {
  it("is parsed as a whole, byte by byte, and split at any place", () => {
    expect(run([body])).toEqual(expected)
    expect(run(Array.from(body, (byte) => Buffer.from([byte])))).toEqual(expected)
    for (let at = 1; at < body.length; at++) {
      expect(run([body.subarray(0, at), body.subarray(at)]), `split at ${at}`).toEqual(expected)
    }
  })

  it.prop("is parsed alike in any chunks", [FastCheck.array(FastCheck.nat(body.length))], ([places]) => {
    const cuts = [0, ...places.sort((a, b) => a - b), body.length]
    const chunks = cuts.slice(1).map((cut, index) => body.subarray(cuts[index], cut))
    expect(run(chunks)).toEqual(expected)
  })

  it("fails when it is cut off anywhere before its last delimiter is complete", () => {
    for (let at = 0; at < body.length - 3; at++) {
      expect(run([body.subarray(0, at)]).at(-1), `cut at ${at}`).toBe("Failed")
    }
  })

  it.each([
    ["no boundary", "multipart/form-data"],
    ["an empty boundary", 'multipart/form-data; boundary=""'],
    ["a boundary with a line break", "multipart/form-data; boundary=a\r\nb: c"],
    ["a boundary of 300 characters", `multipart/form-data; boundary=${"b".repeat(300)}`],
    ["another type", "multipart/mixed; boundary=x"]
  ])("is not parsed with %s", (_, contentType) => {
    const found = run([body], contentType)
    expect([["no boundary"], ["Failed"]]).toContainEqual(found)
  })

  it.each([
    ["a field name that is missing", "Content-Disposition: form-data"],
    ["no disposition", "Content-Type: text/plain"],
    ["an attachment", 'Content-Disposition: attachment; name="a"; filename="b"'],
    ["two dispositions", 'Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"'],
    ["two names", 'Content-Disposition: form-data; name="a"; name="b"'],
    ["an open quote", 'Content-Disposition: form-data; name="a'],
    ["a NUL in the name", 'Content-Disposition: form-data; name="a"; filename="a\u0000.png"'],
    ["an undecodable extended name", "Content-Disposition: form-data; name=\"a\"; filename*=UTF-8''100%"],
    ["a header without an end", `X: ${"y".repeat(20_000)}`],
    ["too many headers", Array.from({ length: 200 }, (_, index) => `X-${index}: y`).join("\r\n")]
  ])("fails on %s", (_, headers) => {
    expect(run([crlf("------x-Y", headers, "", "text", "------x-Y--", "")]).at(-1)).toBe("Failed")
  })

  it("fails on a field that is too long", () => {
    const head = 'Content-Disposition: form-data; name="a"'
    expect(run([crlf("------x-Y", head, "", "y".repeat(1001), "------x-Y--", "")])).toEqual(["Failed"])
  })
})
