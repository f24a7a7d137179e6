import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import fc from "fast-check"
import * as Turn from "../../../src/http/internal/Turn.ts"

interface Item {
  readonly name: string
  /** Milliseconds that it takes. */
  readonly takes?: number
  readonly throws?: boolean
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setImmediate", "performance"] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** A turn that notes what it does, with a line between two calls of `together`. */
const noting = () => {
  const done: Array<string> = []
  const each = ({ name, takes = 0, throws = false }: Item): void => {
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + takes)
    done.push(name)
    if (throws) throw new Error(name)
  }
  const turn = Turn.make<Item>(each, (run) => {
    try {
      run()
    } finally {
      done.push("|")
    }
  })
  return { done, turn }
}

const endOfTurn = () => vi.advanceTimersToNextTimer()

describe("A turn", () => {
  it("does nothing before its end, and then everything in order, together", () => {
    const { done, turn } = noting()
    for (const name of ["a", "b", "c"]) turn.add({ name })
    expect([done, turn.size()]).toEqual([[], 3])
    endOfTurn()
    expect([done, turn.size()]).toEqual([["a", "b", "c", "|"], 0])
  })

  it("hands on after a millisecond what it has done", () => {
    const { done, turn } = noting()
    for (const name of ["a", "b", "c", "d"]) turn.add({ name, takes: 0.6 })
    endOfTurn()
    expect(done.join("")).toBe("ab|cd|")
  })

  it("can be ended early, and does nothing twice", () => {
    const { done, turn } = noting()
    turn.add({ name: "a", takes: 30 })
    turn.add({ name: "b" })
    turn.run()
    expect(done.join("")).toBe("a|b|")
    turn.add({ name: "c" })
    endOfTurn()
    turn.run()
    expect([done.join(""), vi.getTimerCount()]).toEqual(["a|b|c|", 0])
  })

  it("does the others when one throws, and throws afterwards", () => {
    const { done, turn } = noting()
    turn.add({ name: "a", throws: true })
    turn.add({ name: "b" })
    endOfTurn()
    expect(done.join("")).toBe("ab|")
    expect(endOfTurn).toThrow("a")
    expect(vi.getTimerCount()).toBe(0)
  })

  it("does at once what a function leaves, also when that throws", () => {
    const { done, turn } = noting()
    turn.after(() => turn.add({ name: "a" }))
    expect([done.join(""), vi.getTimerCount()]).toEqual(["a|", 0])
    const failing = () => {
      turn.add({ name: "b" })
      throw new Error("failed")
    }
    expect(() => turn.after(failing)).toThrow("failed")
    expect([done.join(""), vi.getTimerCount()]).toEqual(["a|b|", 0])
    turn.add({ name: "c" })
    expect(vi.getTimerCount()).toBe(1)
  })

  it("does everything once and in order, whatever it takes", () => {
    const added = fc.array(fc.record({ takes: fc.integer({ min: 0, max: 30 }), throws: fc.boolean() }))
    fc.assert(
      fc.property(added, fc.array(fc.boolean()), (items, early) => {
        const { done, turn } = noting()
        const attempt = (run: () => unknown) => {
          try {
            run()
          } catch {
            // Noted by its name.
          }
        }
        items.forEach((item, at) => {
          turn.add({ name: String(at), ...item })
          if (early[at] === true) attempt(turn.run)
        })
        while (vi.getTimerCount() > 0) attempt(endOfTurn)
        expect(done.filter((name) => name !== "|")).toEqual(items.map((_, at) => String(at)))
        expect(turn.size()).toBe(0)
      })
    )
  })
})
