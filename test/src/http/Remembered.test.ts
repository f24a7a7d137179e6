import { describe, expect, it } from "@effect/vitest"
import * as Remembered from "../../../src/http/internal/text/Remembered.ts"

const counted = (most: number) => {
  const asked: Array<number> = []
  const double = Remembered.make((key: number) => {
    asked.push(key)
    return key * 2
  }, most)
  return { asked, double }
}

describe("Remembered", () => {
  it("makes a result once", () => {
    const { asked, double } = counted(8)
    expect([double(1), double(2), double(1)]).toEqual([2, 4, 2])
    expect(asked).toEqual([1, 2])
  })

  it("keeps no more than the given number, and makes what it has dropped again", () => {
    const { asked, double } = counted(2)
    expect([1, 2, 2, 3, 3, 1].map(double)).toEqual([2, 4, 4, 6, 6, 2])
    expect(asked).toEqual([1, 2, 3, 1])
  })
})
