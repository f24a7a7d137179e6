import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Csv from "../../../src/pagination/internal/Csv.ts"

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
      expect(parse(records.map((record) => Csv.record(record, plain)).join(""))).toEqual(records)
    }
  )

  it("writes numbers, booleans and JSON", () => {
    expect(Csv.record([1, -0.5, true, { a: "x" }, ["y"], null, undefined, ""], plain)).toBe(
      '1,-0.5,true,"{""a"":""x""}","[""y""]",,,""\r\n'
    )
  })

  it("puts an apostrophe before what a spreadsheet would run, on request, and before no number", () => {
    const hostile = ["=1+1", "+1 2", "-1+1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("x","y")', "＝1+1"]
    for (const value of hostile) {
      expect(parse(Csv.record([value, "x"], safe))).toEqual([[`'${value}`, "x"]])
      expect(parse(Csv.record([value, "x"], plain))).toEqual([[value, "x"]])
    }
    expect(Csv.record(["-12.50", "+3", -1, "a=b", "'x"], safe)).toBe("-12.50,+3,-1,a=b,'x\r\n")
  })
})
