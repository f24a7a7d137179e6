import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as UserAgent from "../../../src/auth/internal/UserAgent.ts"

const like = "Mozilla/5.0"
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)"

describe("UserAgent", () => {
  it.each([
    [`${like} (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0`, "Firefox on Linux"],
    [`${like} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0 Safari/537.36`, "Chrome on Windows"],
    [`${like} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0 Safari/537.36 Edg/126.0`, "Edge on Windows"],
    [`${like} (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/17.4 Safari/605.1.15`, "Safari on macOS"],
    [`${like} (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${webkit} Version/17.4 Safari/604.1`, "Safari on iPhone"],
    [`${like} (Linux; Android 14; Pixel 8) ${webkit} Chrome/126.0 Mobile Safari/537.36`, "Chrome on Android"],
    [`${like} (compatible; unknown)`, "Unknown device"],
    ["curl/8.5.0", "curl"],
    ["node", "node"],
    ["", "Unknown device"]
  ])("calls %s %s", (agent, name) => {
    expect(UserAgent.describe(agent)).toBe(name)
  })

  it.prop("gives a short name to anything", [fc.string({ unit: "binary", maxLength: 300 })], ([agent]) => {
    const name = UserAgent.describe(agent)
    expect(name.length).toBeGreaterThan(0)
    expect(name.length).toBeLessThanOrEqual(40)
  })
})
