import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"
import type { ReportContext } from "../../../src/errors/Reporters.ts"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"

const sources = { root: process.cwd(), locate: <A>(place: A) => place, read: () => undefined }
const maker = RecordLine.maker(sources)

const recordOf = (thrown: unknown) => maker.make(CauseThrowables.from(thrown), {}, 0)

const failed = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.exit(effect), (exit) => recordOf(Exit.isFailure(exit) ? exit.cause : Cause.empty))

const failing = (message: string) => new Error(message)

describe("RecordLine", () => {
  it("has the same fingerprint whatever the message and the line", () => {
    const one = recordOf(failing("first"))
    const two = recordOf(failing("second"))
    expect(one.fingerprint).toBe(two.fingerprint)
    expect(recordOf(Object.assign(failing("x"), { name: "Other" })).fingerprint).not.toBe(one.fingerprint)
    expect(one.frames[0]).toMatchObject({ function: "failing", file: expect.stringContaining("RecordLine.test.ts") })
  })

  it("has a fingerprint for each route where the project has no frame, and none for what a client has typed", () => {
    const error = Object.assign(new Error("late"), {
      stack: "Error: late\n    at f (/app/node_modules/dep/index.js:1:1)"
    })
    const of = (context: ReportContext) => maker.make(CauseThrowables.from(error), context, 0).fingerprint
    const orders = of({ method: "GET", uri: "/orders/:id", route: "/orders/:id" })
    expect(of({ method: "GET", uri: "/cups", route: "/cups" })).not.toBe(orders)
    expect(of({ method: "GET", uri: "/orders/:id", route: "/orders/:id" })).toBe(orders)
    expect(of({ method: "GET", uri: "/typed" })).toBe(of({ method: "GET", uri: "/otherwise" }))
    expect(of({ uri: "job report" })).not.toBe(of({ uri: "job picture" }))
  })

  it("has the nearest four causes and the root, each with its place", () => {
    let error = new Error("root")
    for (let level = 1; level <= 9; level++) error = new Error(`level ${level}`, { cause: error })
    const { omitted, previous } = recordOf(error)
    expect(previous.map(({ message }) => message)).toEqual(["level 8", "level 7", "level 6", "level 5", "root"])
    expect(previous.every(({ file, line }) => file.endsWith("RecordLine.test.ts") && line > 0)).toBe(true)
    expect(omitted).toBe(4)
  })

  it("has at most 16 frames of the project, and none of a dependency", () => {
    const error = new Error("x")
    const frames = Array.from({ length: 24 }, (_, line) =>
      line % 4 === 0
        ? `    at dep (/app/node_modules/dep/index.js:${line}:1)`
        : `    at own${line} (/app/a.ts:${line}:1)`
    )
    error.stack = ["Error: x", ...frames].join("\n")
    const { file, frames: shown, line } = recordOf(error)
    expect(shown).toHaveLength(16)
    expect([file, line, shown[0]?.function]).toEqual(["/app/a.ts", 1, "own1"])
    expect(shown.some((frame) => frame.file.includes("node_modules"))).toBe(false)
  })

  it.live.each([
    ["timeout", Effect.timeout(Effect.never, 1)],
    ["tryPromise", Effect.tryPromise(() => Promise.reject("no"))]
  ] as const)("names the program's line for %s in a span", ([, effect]) =>
    Effect.map(failed(Effect.fn("Orders.place")(() => effect as Effect.Effect<unknown, unknown>)()), ({ file }) => {
      expect(file).toContain("RecordLine.test.ts")
    })
  )

  it.live("names the line of the cause of a tryPromise that rejects with an error", () =>
    Effect.map(
      failed(
        Effect.tryPromise(async () => {
          throw failing("rejected")
        })
      ),
      ({ file, frames }) => {
        expect(file).toContain("RecordLine.test.ts")
        expect(frames[0]?.function).toBe("failing")
      }
    )
  )
})
