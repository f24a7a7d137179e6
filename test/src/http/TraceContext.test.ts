// The cases of W3C Trace Context: https://www.w3.org/TR/trace-context/
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, FastCheck } from "effect"
import * as TraceContext from "../../../src/http/internal/TraceContext.ts"

const trace = "0af7651916cd43dd8448eb211c80319c"
const parent = "b7ad6b7169203331"

const digits = (length: number) =>
  FastCheck.array(FastCheck.constantFrom(..."0123456789abcdef"), { minLength: length, maxLength: length })
    .map((all) => all.join(""))
    .filter((text) => !/^0+$/.test(text))

describe("traceparent", () => {
  it.each([
    [`00-${trace}-${parent}-01`, true],
    [`00-${trace}-${parent}-00`, false],
    [`00-${trace}-${parent}-03`, true],
    [`00-${trace}-${parent}-fe`, false],
    [`cc-${trace}-${parent}-01`, true],
    [`cc-${trace}-${parent}-01-what-the-future-will-be-like`, true]
  ])("%s is read", (header, sampled) => {
    expect(TraceContext.parse(header)).toEqual({ traceId: trace, spanId: parent, sampled, state: "" })
  })

  it.each([
    ["nothing", ""],
    ["a word", "hello"],
    ["a forbidden version", `ff-${trace}-${parent}-01`],
    ["no version", `${trace}-${parent}-01`],
    ["a version of one digit", `0-${trace}-${parent}-01`],
    ["a version that is no number", `.0-${trace}-${parent}-01`],
    ["more parts than its version has", `00-${trace}-${parent}-01-more`],
    ["an end of its version", `00-${trace}-${parent}-01-`],
    ["a future version without a separator", `cc-${trace}-${parent}-01.what`],
    ["a trace of zeros", `00-${"0".repeat(32)}-${parent}-01`],
    ["a parent of zeros", `00-${trace}-${"0".repeat(16)}-01`],
    ["upper case", `00-${trace.toUpperCase()}-${parent}-01`],
    ["a short trace", `00-${trace.slice(1)}-${parent}-01`],
    ["a long trace", `00-${trace}0-${parent}-01`],
    ["a short parent", `00-${trace}-${parent.slice(1)}-01`],
    ["flags that are no number", `00-${trace}-${parent}-.0`],
    ["flags of one digit", `00-${trace}-${parent}-1`],
    ["two of them", `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`],
    ["a line break at its end", `00-${trace}-${parent}-01\n`]
  ])("is ignored with %s", (_, header) => {
    expect(TraceContext.parse(header)).toBeUndefined()
  })

  it("is ignored when it was sent as a list", () => {
    expect(TraceContext.parse([`00-${trace}-${parent}-01`])).toBeUndefined()
    expect(TraceContext.parse(undefined, "vendor=1")).toBeUndefined()
  })

  it.prop("is what another process reads from ours", [digits(32), digits(16), FastCheck.boolean()], (given) => {
    const [traceId, spanId, sampled] = given
    const header = TraceContext.traceparent({ traceId, spanId, sampled })
    expect(TraceContext.parse(header)).toEqual({ traceId, spanId, sampled, state: "" })
  })

  it.prop("never throws", [FastCheck.string(), FastCheck.string()], ([first, second]) => {
    expect(TraceContext.parse(first, second)).toBeUndefined()
  })
})

describe("tracestate", () => {
  const stateOf = (state: string | ReadonlyArray<string>) =>
    TraceContext.parse(`00-${trace}-${parent}-01`, state)?.state

  it.each([
    ["foo=1"],
    ["foo=1,bar=2"],
    ["foo=1 , \t bar=2"],
    ["foo=1,,bar=2"],
    ["foo@vendor=1"],
    ["0tenant@vendor=a b"],
    [`${"z".repeat(256)}=1`],
    [`${"t".repeat(241)}@${"v".repeat(14)}=1`],
    [`foo=${"v".repeat(256)}`],
    [Array.from({ length: 32 }, (_, at) => `k${at}=1`).join(",")]
  ])("%s is kept as it is", (state) => {
    expect(stateOf(state)).toBe(state)
  })

  it("is joined when it was sent as several headers", () => {
    expect(stateOf(["foo=1", "bar=2"])).toBe("foo=1,bar=2")
  })

  it.each([
    ["no equals sign", "foo"],
    ["no key", "=1"],
    ["no value", "foo="],
    ["two equals signs", "foo=1=2"],
    ["an upper-case key", "Foo=1"],
    ["a blank in a key", "foo bar=1"],
    ["a key that begins with a digit", "0foo=1"],
    ["a tenant without a vendor", "foo@=1"],
    ["a key that is too long", `${"z".repeat(257)}=1`],
    ["a tenant that is too long", `${"t".repeat(242)}@v=1`],
    ["a vendor that is too long", `t@${"v".repeat(15)}=1`],
    ["a value that is too long", `foo=${"v".repeat(257)}`],
    ["a value that is not ASCII", "foo=é"],
    ["a control character", "foo=a\u0001b"],
    ["the same key twice", "foo=1,foo=2"],
    ["33 members", Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(",")]
  ])("is dropped with %s, and the trace goes on", (_, state) => {
    expect(TraceContext.parse(`00-${trace}-${parent}-01`, state)).toMatchObject({ traceId: trace, state: "" })
  })
})

it("is a parent that knows its state", () => {
  const span = TraceContext.toSpan({ traceId: trace, spanId: parent, sampled: false, state: "foo=1" })
  expect(span).toMatchObject({ _tag: "ExternalSpan", traceId: trace, spanId: parent, sampled: false })
  expect(Context.get(span.context, TraceContext.TraceState)).toBe("foo=1")
})

it("is found from a span below, and is none for a trace that began here", () => {
  const remote = TraceContext.toSpan({ traceId: trace, spanId: parent, sampled: true, state: "foo=1" })
  const below = Effect.runSync(Effect.makeSpan("below", { parent: remote }))
  const deeper = Effect.runSync(Effect.makeSpan("deeper", { parent: below }))
  expect(TraceContext.stateOf(deeper)).toBe("foo=1")
  expect(TraceContext.stateOf(Effect.runSync(Effect.makeSpan("own")))).toBe("")
  expect(TraceContext.stateOf(undefined)).toBe("")
})
