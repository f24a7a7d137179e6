import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ByteSize from "../../../src/http/internal/text/ByteSize.ts"

describe("ByteSize.toBytes", () => {
  it.each([
    [12, 12],
    ["1 KiB", 1024],
    ["1.5 KiB", 1536],
    ["5 MiB", 5 * 1024 * 1024],
    ["2 GiB", 2 * 1024 ** 3],
    ["0.0001 KiB", 0]
  ] as const)("%s is %s bytes", (size, bytes) => {
    expect(ByteSize.toBytes(size)).toBe(bytes)
  })
})

describe("ByteSize.print", () => {
  it.each([
    [0, "0 bytes"],
    [1023, "1023 bytes"],
    [1024, "1 KiB"],
    [1536, "1.5 KiB"],
    [1024 ** 2 - 1, "1023.9 KiB"],
    [5 * 1024 ** 2, "5 MiB"],
    [1024 ** 3, "1 GiB"]
  ])("%s bytes is %s", (bytes, text) => {
    expect(ByteSize.print(bytes)).toBe(text)
  })

  it.prop("never prints more than there is", [FastCheck.nat(2 ** 31 - 1)], ([bytes]) => {
    const [amount = "", unit = ""] = ByteSize.print(bytes).split(" ")
    const size = { bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }[unit] ?? Number.NaN
    expect(Number(amount) * size).toBeLessThanOrEqual(bytes)
  })
})
