import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import * as ExceptionGroups from "../../../src/errors/internal/ExceptionGroups.ts"

const record = (fingerprint: string, at: number, facts: object = {}): ExceptionGroups.Sample => ({
  timestamp: new Date(at).toISOString(),
  class: "Error",
  message: "no",
  fingerprint,
  ...facts
})

const grouped = (records: ReadonlyArray<ExceptionGroups.Sample>) => {
  const groups = new Map<string, ExceptionGroups.Group>()
  for (const one of records) ExceptionGroups.add(groups, one)
  return ExceptionGroups.sorted(groups)
}

describe("ExceptionGroups", () => {
  const records = FastCheck.array(FastCheck.tuple(FastCheck.constantFrom("a", "b", "c"), FastCheck.nat(1_000_000)))

  it.prop("count each record once, between its first and its last", [records], ([given]) => {
    const groups = grouped(given.map(([fingerprint, at]) => record(fingerprint, at)))
    for (const { count, fingerprint, first, last, sample } of groups) {
      const times = given.filter(([one]) => one === fingerprint).map(([, at]) => at)
      expect(count).toBe(times.length)
      expect([first, last]).toEqual([Math.min(...times), Math.max(...times)].map((at) => new Date(at).toISOString()))
      expect(sample.timestamp).toBe(last)
    }
    expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(given.length)
    expect(groups.map(({ last }) => last)).toEqual(
      groups
        .map(({ last }) => last)
        .sort()
        .reverse()
    )
  })

  it("name the last versions and routes first, at most eight of each", () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      record("a", index, { version: `1.${index}`, method: "GET", uri: `/${index}` })
    )
    const [group] = grouped([...many, record("a", 30, { version: "1.18", method: "GET", uri: "/19" })])
    expect(group?.versions.slice(0, 3)).toEqual(["1.18", "1.19", "1.17"])
    expect(group?.routes.slice(0, 2)).toEqual(["GET /19", "GET /18"])
    expect([group?.versions.length, group?.routes.length]).toEqual([8, 8])
  })

  it.each(["", '{"mess', "null", "1", '{"class":"Error"}', '{"timestamp":1,"class":"a","message":"b"}'])(
    "skip %j",
    (line) => {
      expect(Option.isNone(ExceptionGroups.parse(line))).toBe(true)
    }
  )

  it("read lines of a version without fingerprints", () => {
    const line = JSON.stringify({ timestamp: "2026-01-01T00:00:00.000Z", class: "Error", message: "no", file: "/a.ts" })
    const one = Option.getOrThrow(ExceptionGroups.parse(line))
    expect(one.fingerprint).toMatch(/^[0-9a-f]{16}$/)
    expect(ExceptionGroups.parse(line)).toEqual(Option.some(one))
  })
})
