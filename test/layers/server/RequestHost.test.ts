import { describe, expect, it } from "@effect/vitest"
import * as RequestCheck from "../../../layers/server/internal/RequestCheck.ts"

describe("Host", () => {
  it.each([
    "localhost",
    "a.example.com:8087",
    "EXAMPLE.com.",
    "my_service",
    "127.0.0.1",
    "[::1]",
    "[fe80::1]:65535",
    "a:"
  ])("%s is possible", (host) => expect(RequestCheck.isPossible(host)).toBe(true))

  it.each([
    "",
    " ",
    "a b",
    "u@a",
    "a/b",
    "a?b",
    "a#b",
    "a:b",
    "a:65536",
    "a:1:2",
    "::1",
    "[::1",
    "[]",
    "-a",
    ".a",
    "ä"
  ])("%j is not", (host) => expect(RequestCheck.isPossible(host)).toBe(false))

  it.each([
    ["Localhost:80", "localhost"],
    ["example.com.", "example.com"],
    ["[::1]:80", "[::1]"],
    ["127.0.0.1", "127.0.0.1"]
  ])("the name of %s is %s", (host, name) => expect(RequestCheck.nameOf(host)).toBe(name))

  it.each(["localhost", "x.localhost", "127.0.0.1", "127.255.1.2", "[::1]"])("%s is loopback", (name) =>
    expect(RequestCheck.isLoopback(name)).toBe(true)
  )

  it.each(["localhost.evil.test", "notlocalhost", "127.0.0.1.evil.test", "127.1", "128.0.0.1", "[::2]", "0.0.0.0"])(
    "%s is not",
    (name) => expect(RequestCheck.isLoopback(name)).toBe(false)
  )
})
