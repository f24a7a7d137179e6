// What is too much to show is counted, on the page, in the JSON, in the log and on the console.
import { describe, expect, it } from "@effect/vitest"
import { Cause } from "effect"
import * as ConsoleReport from "../../../src/errors/internal/ConsoleReport.ts"
import * as DebugPage from "../../../src/errors/internal/debug/DebugPage.ts"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import * as ErrorBody from "../../../src/errors/internal/ErrorBody.ts"
import type * as Throwable from "../../../src/errors/Throwable.ts"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"

const sources = { root: "", locate: <A>(place: A) => place, read: () => undefined }

const chainOf = (length: number): Error => {
  let error = new Error("error 0")
  for (let index = 1; index <= length; index++) error = new Error(`error ${index}`, { cause: error })
  return error
}

const shown = (throwable: Throwable.Throwable) => ({
  page: /(\d+(?: or more)?) more errors? (?:is|are) not shown/.exec(
    DebugPage.render({ throwable }, { sources, nonce: "n" })
  )?.[1],
  json: ErrorBody.details(throwable, sources).omitted,
  log: RecordLine.maker(sources).make(throwable, {}, 0).omitted,
  console: /(\d+(?: or more)?) more errors? (?:is|are) not shown/.exec(
    ConsoleReport.render(throwable, { sources })
  )?.[1]
})

describe("What is left out", () => {
  it.each([
    [5, undefined],
    [6, 1],
    [50, 45]
  ])("of a chain of %i causes is %s", (length, omitted) => {
    const text = omitted === undefined ? undefined : String(omitted)
    expect(shown(CauseThrowables.from(chainOf(length)))).toEqual({
      page: text,
      json: omitted,
      log: omitted,
      console: text
    })
  })

  it("of a chain without an end is counted up to 1000", () => {
    const endless = (): object => ({
      get cause() {
        return endless()
      }
    })
    const text = "1000 or more"
    expect(shown(CauseThrowables.from(endless()))).toEqual({ page: text, json: 1000, log: 1000, console: text })
    expect(shown(CauseThrowables.from(chainOf(100_000)))).toEqual({ page: text, json: 1000, log: 1000, console: text })
  })

  it("of an aggregate and of failures side by side is counted too", () => {
    const members = Array.from({ length: 12 }, (_, index) => new Error(String(index)))
    expect(CauseThrowables.from(new AggregateError(members)).omitted).toBe(7)
    const cause = members.reduce<Cause.Cause<unknown>>(
      (all, error) => Cause.parallel(all, Cause.fail(error)),
      Cause.empty
    )
    expect(CauseThrowables.from(cause).omitted).toBe(6)
    expect(CauseThrowables.from(cause).chain).toHaveLength(5)
  })

  it("of the rows of a table is said below it", () => {
    const rows = (count: number) => Array.from({ length: count }, (_, index) => [`x-${index}`, "value"] as const)
    const render = (count: number) =>
      DebugPage.render(
        { throwable: CauseThrowables.from(new Error("x")), context: [{ title: "Headers", rows: rows(count) }] },
        { sources, nonce: "n" }
      )
    expect(render(48)).not.toContain("not shown")
    expect(render(49)).toContain("1 more row is not shown.")
    expect(render(90)).toContain("42 more rows are not shown.")
  })

  it("of the tables of a page that is full is said in their place", () => {
    const wide = Array.from({ length: 48 }, (_, index) => [`x-${index}`, "\u4e00".repeat(400)] as const)
    const context = Array.from({ length: 12 }, (_, index) => ({ title: `Table ${index}`, rows: wide }))
    const page = DebugPage.render({ throwable: CauseThrowables.from(new Error("x")), context }, { sources, nonce: "n" })
    expect(page).toContain("48 more rows are not shown.")
    expect(new TextEncoder().encode(page).length).toBeLessThanOrEqual(DebugPage.maxBytes)
  })

  it("of the fields of an error is said on the console", () => {
    const error = Object.assign(
      new Error("x"),
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`f${at}`, at]))
    )
    expect(ConsoleReport.render(CauseThrowables.from(error), { sources })).toContain("4 more fields are not shown.")
  })
})
