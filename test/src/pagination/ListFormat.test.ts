import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import * as ListFormat from "../../../src/pagination/internal/ListFormat.ts"
import { firstPage as first } from "../../../layers/pagination/internal/Totals.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import { csvRecord, printXml } from "../../../src/pagination/internal/ListFormat.ts"

const start = Either.getOrThrow(Pagination.make({ cursor: "" }))

describe("the JSON of a list", () => {
  it("has totals in page mode and the next cursor in cursor mode", () => {
    expect(ListFormat.print({ items: [1], pagination: { ...first, total: 1, pages: 1 } })).toBe(
      '{"items":[1],"page":1,"pages":1,"limit":10,"total":1}'
    )
    expect(ListFormat.print({ items: [1], pagination: { ...start, next: "WzFd" } })).toBe(
      '{"items":[1],"limit":10,"next":"WzFd"}'
    )
  })

  it("says what a total is that is not counted exactly, and has none where rows are not counted", () => {
    const page = { ...first, total: 10_000, pages: 1000, counting: "capped", accuracy: "atLeast" } as const
    expect(ListFormat.print({ items: [1], pagination: page })).toBe(
      '{"items":[1],"page":1,"pages":1000,"limit":10,"total":10000,"accuracy":"atLeast"}'
    )
    expect(ListFormat.print({ items: [1], pagination: { ...first, counting: "none", more: true } })).toBe(
      '{"items":[1],"page":1,"limit":10,"more":true}'
    )
  })

  it("has the previous cursor and the cursor of each row where they were requested", () => {
    const both = Either.getOrThrow(Pagination.make({ before: "" }))
    expect(ListFormat.print({ items: [1], pagination: { ...both, previous: "WzFd" } })).toBe(
      '{"items":[1],"limit":10,"next":null,"previous":"WzFd"}'
    )
    expect(ListFormat.print({ items: [1], pagination: { ...start, rowCursors: ["WzFd"] } })).toBe(
      '{"items":[1],"limit":10,"next":null,"cursors":["WzFd"]}'
    )
  })

  it("has 64-bit integers as strings", () => {
    expect(ListFormat.print({ items: [{ id: 2n ** 60n }], pagination: start })).toContain(`{"id":"${2n ** 60n}"}`)
  })

  it("has the encoded rows of a registered page, also when the page is copied", () => {
    const page = { items: [{ at: new Date(0) }], pagination: start }
    ListFormat.cache(
      page.items,
      ListFormat.makeText(start, () => false, [{ at: "encoded" }])
    )
    expect(ListFormat.print(page)).toContain('{"at":"encoded"}')
    expect(ListFormat.print({ ...page })).toBe(ListFormat.print(page))
    expect(Reflect.ownKeys(Object.assign([], page.items))).toEqual(["0", "length"])
    expect(page.items).toEqual([{ at: new Date(0) }])
    expect(ListFormat.print({ items: page.items, pagination: { ...start, next: "x" } })).toBe(
      '{"items":[{"at":"encoded"}],"limit":10,"next":"x"}'
    )
  })
})

const plain = { escapeFormulas: false }
const safe = { escapeFormulas: true }

/** The records of a text, character by character as RFC 4180 describes them; null for a field without quotes or text. */
const parse = (text: string): ReadonlyArray<ReadonlyArray<string | null>> => {
  const records: Array<Array<string | null>> = []
  let record: Array<string | null> = []
  for (let at = 0; at < text.length;) {
    let value: string | null = null
    if (text[at] === '"') {
      value = ""
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        value += text[at]
        if (text[at] === '"') at++
      }
      at++
    } else {
      for (; at < text.length && text[at] !== "," && text[at] !== "\r"; at++) value = (value ?? "") + text[at]
    }
    record.push(value)
    if (text[at] === ",") {
      at++
      // A comma is always followed by a field, also by an empty one at the end.
      if (text[at] === "\r") record.push(null)
      else continue
    }
    expect(text.slice(at, at + 2)).toBe("\r\n")
    at += 2
    records.push(record)
    record = []
  }
  return records
}

const text = fc.string({ unit: fc.constantFrom("a", ",", '"', "\r", "\n", " ", "=", "é", "𝄞", "'") })

describe("Csv", () => {
  it.prop(
    "keeps every text, and null apart from an empty one",
    [fc.array(fc.array(fc.option(text), { minLength: 2, maxLength: 4 }))],
    ([records]) => {
      expect(parse(records.map((record) => csvRecord(record, plain)).join(""))).toEqual(records)
    }
  )

  it("writes numbers, booleans and JSON", () => {
    expect(csvRecord([1, -0.5, true, { a: "x" }, ["y"], null, undefined, ""], plain)).toBe(
      '1,-0.5,true,"{""a"":""x""}","[""y""]",,,""\r\n'
    )
  })

  it("puts an apostrophe before what a spreadsheet would run, on request, and before no number", () => {
    const hostile = ["=1+1", "+1 2", "-1+1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("x","y")', "＝1+1"]
    for (const value of hostile) {
      expect(parse(csvRecord([value, "x"], safe))).toEqual([[`'${value}`, "x"]])
      expect(parse(csvRecord([value, "x"], plain))).toEqual([[value, "x"]])
    }
    expect(csvRecord(["-12.50", "+3", -1, "a=b", "'x"], safe)).toBe("-12.50,+3,-1,a=b,'x\r\n")
  })
})

const unescape = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#13;", "\r")
    .replaceAll("&amp;", "&")

describe("Xml", () => {
  it("prints fields as elements, lists as items, null as a mark", () => {
    expect(
      printXml("response", {
        items: [
          { id: 1, ok: true },
          { id: 2n, ok: null }
        ],
        next: ""
      })
    ).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<response><items><item><id>1</id><ok>true</ok></item>' +
        '<item><id>2</id><ok nil="true"/></item></items><next></next></response>\n'
    )
  })

  it("names a field in an attribute when its name cannot be an element", () => {
    expect(printXml("response", { '1"<': 1 })).toContain('<field name="1&quot;&lt;">1</field>')
  })

  it("replaces what XML cannot hold", () => {
    expect(printXml("a", "x\u0000\u0008\ufffey\ud800")).toContain("<a>x\ufffd\ufffd\ufffdy\ufffd</a>")
  })

  it.prop("keeps every other text", [fc.string({ unit: "grapheme" })], ([text]) => {
    const printed = printXml("a", text)
    const inside = printed.slice(printed.indexOf("<a>") + 3, printed.lastIndexOf("</a>"))
    expect(inside).not.toMatch(/[<>"]/)
    // oxlint-disable-next-line no-control-regex -- what the printer replaces
    expect(unescape(inside)).toBe(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd"))
  })
})
