import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Labels from "../../../src/observability/Labels.ts"
import { nasty } from "./Snapshots.ts"

const given = FastCheck.dictionary(FastCheck.constantFrom("a", "b", "c", "Z9", "_x"), nasty, { noNullPrototype: true })

it.prop("are one series in any order of their names", [given], ([record]) => {
  const reversed = Object.fromEntries(Object.entries(record).reverse())
  expect(Labels.of(reversed)).toEqual(Labels.of(record))
  expect(Object.keys(Labels.of(record).record)).toEqual(Object.keys(record).sort())
  expect(Labels.of(record).size).toBe(Object.keys(record).length)
})

it.prop("have different texts when a value differs", [nasty, nasty], ([a, b]) => {
  const [first, second] = [Labels.of({ x: a }), Labels.of({ x: b })]
  expect(first.text === second.text).toBe(first.record["x"] === second.record["x"])
})

it("escape quotes, backslashes and line feeds", () => {
  expect(Labels.of({ route: 'a"b\\c\nd', method: "GET" }).text).toBe('method="GET",route="a\\"b\\\\c\\nd"')
})
