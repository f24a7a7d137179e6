import { describe, expect, it } from "@effect/vitest"
import * as Words from "../../../src/http/internal/text/Words.ts"

const date = new Date("2026-01-05T22:07:00Z")

describe("Words", () => {
  it.each([
    ["en", "1 hour", "2 days", "1 minute ago", "January 5, 2026"],
    ["en-GB", "1 hour", "2 days", "1 minute ago", "5 January 2026"],
    ["de", "1 Stunde", "2 Tage", "vor 1 Minute", "5. Januar 2026"]
  ])("are those of %s", (locale, hour, days, ago, day) => {
    expect(Words.duration(1, "hour", locale)).toBe(hour)
    expect(Words.duration(2, "day", locale)).toBe(days)
    expect(Words.ago(1, "minute", locale)).toBe(ago)
    expect(Words.day(date, locale)).toBe(day)
  })

  it("give the exact moment in UTC, in the reader's form", () => {
    expect(Words.moment(date, "de")).toBe("5. Jan. 2026, 22:07 UTC")
    expect(Words.moment(date, "en")).toMatch(/^Jan 5, 2026, 10:07\s?PM UTC$/)
  })

  it("give each minute its own moment, however often a minute is asked for", () => {
    const at = (text: string) => Words.moment(new Date(text), "de")
    expect(at("2026-01-05T22:07:59.999Z")).toBe("5. Jan. 2026, 22:07 UTC")
    expect(at("2026-01-05T22:08:00Z")).toBe("5. Jan. 2026, 22:08 UTC")
    expect(at("2026-01-05T22:07:30Z")).toBe("5. Jan. 2026, 22:07 UTC")
    expect(at("1969-12-31T23:59:59Z")).toBe("31. Dez. 1969, 23:59 UTC")
  })

  it("give the timestamp of a second as `toISOString` does", () => {
    const texts = [
      "2026-01-05T22:07:00.000Z",
      "2026-01-05T22:07:09.000Z",
      "2026-01-05T22:07:59.000Z",
      "1969-12-31T23:59:58.000Z",
      "+010000-01-01T00:00:01.000Z"
    ]
    for (const text of texts) expect(Words.timestamp(Date.parse(text) / 1000)).toBe(text)
  })

  it("are the same for a locale that was dropped from memory", () => {
    for (let first = 65; first < 91; first++) {
      for (let second = 65; second < 70; second++) Words.day(date, `en-${String.fromCharCode(first, second)}`)
    }
    expect(Words.day(date, "de")).toBe("5. Januar 2026")
  })
})
