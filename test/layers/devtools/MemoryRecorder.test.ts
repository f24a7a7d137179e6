import { describe, expect, it } from "@effect/vitest"
import { Context, Exit, Option, Tracer } from "effect"
import * as MemoryRecorder from "../../../layers/devtools/internal/MemoryRecorder.ts"
import * as OtlpTracer from "../../../layers/observability/internal/OtlpTracer.ts"
import * as Spans from "../../../src/errors/internal/Spans.ts"
import type { State } from "../../../src/http/internal/RequestState.ts"
import { limits, type Recorder } from "../../../src/http/internal/RequestRecorder.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import { requestStateOf } from "../../support/RequestStates.ts"

const requestState = (id: string, given: Partial<State> = {}) =>
  requestStateOf({ id, path: "/cups", route: "/cups", ...given })

const second = 1_000_000_000n
const none = () => []

const find = (recorder: Pick<Recorder, "list">, id: string) => recorder.list().find((request) => request.id === id)

const setUp = (given: Tracer.Tracer = RecordedSpans.make([])) => {
  let now = 1_700_000_000n * second
  const recorder = MemoryRecorder.make({ now: () => now })
  const tracer = recorder.wrap(given)
  const open = (name: string, parent?: Tracer.AnySpan): Tracer.Span =>
    tracer.span(name, Option.fromNullable(parent), Context.empty(), [], now, parent === undefined ? "server" : "client")
  const request = (state: State, secrets: () => ReadonlyArray<string> = none) => {
    const span = open("GET /cups")
    recorder.begin(state, span, secrets)
    return span
  }
  return { recorder, open, request, advance: (by: bigint) => void (now += by), now: () => now }
}

describe("MemoryRecorder", () => {
  it("records the spans of a request, also of nested ones and of those after the response", () => {
    const { advance, now, open, recorder, request } = setUp()
    const state = requestState("a")
    const server = request(state)
    advance(2_000_000n)
    const service = open("Cups.list", server)
    const statement = open("sql.execute", service)
    statement.attribute("db.query.text", "SELECT name FROM cups WHERE id = ? AND kind = 'secret literal'")
    advance(3_000_000n)
    statement.end(now(), Exit.void)
    service.end(now(), Exit.fail("broken"))
    server.end(now(), Exit.void)
    recorder.end(state, { status: 200, failed: false })
    const late = open("Mailer.send", server)
    const found = find(recorder, "a")
    expect(found).toMatchObject({ method: "GET", uri: "/cups", status: 200, state: "ended", duration: 5 })
    expect(found?.spans.map(({ duration, name, outcome, start }) => [name, start, duration, outcome])).toEqual([
      ["GET /cups", 0, 5, "ended"],
      ["Cups.list", 2, 3, "failed"],
      ["sql.execute", 2, 3, "ended"],
      ["Mailer.send", 5, 0, "open"]
    ])
    expect(found?.spans[2]?.statement).toMatch(/^SELECT name FROM cups WHERE id = \?/)
    expect(JSON.stringify(found)).not.toContain("secret literal")
    late.end(now(), Exit.void)
    expect(find(recorder, "a")?.spans.at(-1)?.outcome).toBe("ended")
  })

  it("keeps the span that a defect has ended, for its page", () => {
    const { now, open, request } = setUp()
    const defect = new Error("x")
    open("Cups.list", request(requestState("a"))).end(now(), Exit.die(defect))
    expect(Spans.of(defect).map(({ name }) => name)).toEqual(["Cups.list"])
  })

  it("leaves the spans of the program's tracer as they are", () => {
    const kept: Array<RecordedSpans.RecordedSpan> = []
    const { now, open, request } = setUp(RecordedSpans.make(kept))
    const server = request(requestState("a"))
    const child = open("child", server)
    child.attribute("cup", "blue")
    child.end(now(), Exit.void)
    expect(kept).toEqual([server, child])
    expect(kept[0]).toBe(server)
    expect(kept[1]?.attributes.get("cup")).toBe("blue")
    expect(kept[1]?.status._tag).toBe("Ended")
  })

  it("sees spans that are not sampled, and survives spans that are frozen", () => {
    const unsampled = setUp(
      OtlpTracer.make(
        () => false,
        () => expect.fail("not sampled")
      )
    )
    const server = unsampled.request(requestState("a"))
    const child = unsampled.open("sql.execute", server)
    child.attribute("db.query.text", "SELECT 1")
    child.end(unsampled.now(), Exit.void)
    expect(find(unsampled.recorder, "a")?.spans[1]).toMatchObject({ name: "sql.execute", statement: "SELECT 1" })

    const inner = RecordedSpans.make([])
    const frozen = setUp(
      Tracer.make({
        context: (run) => run(),
        span: (...given) => Object.freeze(inner.span(...given))
      })
    )
    frozen.request(requestState("b"))
    expect(find(frozen.recorder, "b")?.spans).toHaveLength(1)
  })

  it("wraps a tracer once", () => {
    const { recorder } = setUp()
    const once = recorder.wrap(RecordedSpans.make([]))
    expect(recorder.wrap(once)).toBe(once)
  })

  it("ignores spans outside of requests and the requests of its own pages", () => {
    const { open, recorder, request } = setUp()
    open("Sweeper")
    request(requestState("own", { route: "/_debug/requests/:id" }))
    request(requestState("own", { route: "/_debug" }))
    request(requestState("theirs", { route: "/_debugger" }))
    expect(recorder.list().map(({ id }) => id)).toEqual(["theirs"])
  })

  it("has the newest request first, and the newest of one id", () => {
    const { recorder, request } = setUp()
    for (const [id, route] of [
      ["a", "/1"],
      ["b", "/2"],
      ["a", "/3"]
    ] as const) {
      request(requestState(id, { route, path: route }))
    }
    expect(recorder.list().map(({ uri }) => uri)).toEqual(["/3", "/2", "/1"])
  })

  it("forgets what is older than a minute", () => {
    const { advance, recorder, request } = setUp()
    request(requestState("old"))
    advance(30n * second)
    request(requestState("young"))
    advance(31n * second)
    expect(recorder.list().map(({ id }) => id)).toEqual(["young"])
  })

  it("is bounded in requests, spans, lines and characters", () => {
    const { now, open, recorder, request } = setUp()
    for (let at = 0; at < limits.requests + 20; at++) request(requestState(String(at)))
    expect(recorder.list()).toHaveLength(limits.requests)

    const state = requestState("long")
    const server = request(state)
    for (let at = 0; at < limits.spans + 10; at++) open("step", server).end(now(), Exit.void)
    for (let at = 0; at < limits.lines + 10; at++) recorder.log(state, { level: "INFO", text: "tick" })
    expect(recorder.of(state)).toMatchObject({ omitted: { spans: 11, lines: 10 } })
    expect(recorder.of(state)?.spans).toHaveLength(limits.spans)

    for (let at = 0; at < 60; at++) {
      const large = requestState(`large ${at}`)
      request(large)
      for (let line = 0; line < limits.lines; line++) recorder.log(large, { level: "INFO", text: "x".repeat(5000) })
    }
    const characters = JSON.stringify(recorder.list()).length
    expect(characters).toBeLessThan(1.5 * limits.size)
    expect(recorder.list().length).toBeLessThan(60)
  })

  it("records nothing more of a request that it has dropped", () => {
    const { open, recorder, request } = setUp()
    const state = requestState("dropped")
    const server = request(state)
    for (let at = 0; at < limits.requests; at++) request(requestState(String(at)))
    recorder.log(state, { level: "INFO", text: "late" })
    open("late", server)
    expect(recorder.of(state)?.lines).toEqual([])
    expect(recorder.of(state)?.spans.map(({ name }) => name)).toEqual(["GET /cups"])
  })

  it("says how a request ended", () => {
    const { recorder, request } = setUp()
    const ends = [
      ["running", undefined],
      ["ended", { status: 204, failed: false }],
      ["failed", { status: 200, failed: true }],
      ["aborted", { status: undefined, failed: false }]
    ] as const
    for (const [id, end] of ends) {
      const state = requestState(id)
      request(state)
      if (end !== undefined) recorder.end(state, end)
      expect(find(recorder, id)?.state).toBe(id)
    }
  })
})
