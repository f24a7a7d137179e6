import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Stack from "../../../src/errors/internal/Stack.ts"

const tail = "\n    at real (/app/real.ts:10:5)\n    at /app/other.ts:3:1"
const frame = (call: string, file: string, line: number, column: number): Stack.Frame => ({
  kind: "code",
  call,
  file,
  line,
  column
})
const real = [frame("real", "/app/real.ts", 10, 5), frame("", "/app/other.ts", 3, 1)]

describe("Stack", () => {
  it.each<[string, Stack.Frame]>([
    ["at fn (/a/b.ts:1:2)", frame("fn", "/a/b.ts", 1, 2)],
    ["at (/a/b.ts:1:2)", frame("", "/a/b.ts", 1, 2)],
    ["at /a(b)/c.ts:1:2", frame("", "/a(b)/c.ts", 1, 2)],
    ["at /a/b.ts:1:2", frame("", "/a/b.ts", 1, 2)],
    ["at async load (file:///a/b%20c.ts:1:2)", frame("async load", "/a/b c.ts", 1, 2)],
    ["at async file:///a/b.ts?v=1:1:2", frame("", "/a/b.ts", 1, 2)],
    ["at new Orders (/a/b.ts:1:2)", frame("new Orders", "/a/b.ts", 1, 2)],
    ["at Orders.place [as run] (/a (b)/c.ts:1:2)", frame("Orders.place [as run]", "/a (b)/c.ts", 1, 2)],
    ["at C:\\app\\b.ts:1:2", frame("", "C:\\app\\b.ts", 1, 2)],
    ["at file:///C:/app/b.ts:1:2", frame("", "C:/app/b.ts", 1, 2)],
    ["at Generator.next (<anonymous>)", frame("Generator.next", "", 0, 0)],
    ["at node:internal/process/task_queues:95:5", frame("", "node:internal/process/task_queues", 95, 5)],
    ["at Object.effect_instruction_i0 (/a/b.ts:1:2)", frame("", "/a/b.ts", 1, 2)],
    ["at EffectPrimitive.explode [as effect_instruction_i0] (/a/b.ts:1:2)", frame("explode", "/a/b.ts", 1, 2)],
    ["at Object.<anonymous> (/a/b.ts:1:2)", frame("", "/a/b.ts", 1, 2)]
  ])("reads the frame %j", (line, expected) => {
    expect(Stack.parse(`Error: x\n    ${line}`, "Error", "x")).toEqual([expected])
  })

  it.each([
    ["a message with a frame in it", "x\n    at evil (/app/secret.ts:1:1)"],
    ["a message that is nothing but frames", "    at evil (/app/secret.ts:1:1)\n    at more (/app/secret.ts:2:1)"],
    ["a message that ends in an empty line", "x\n"],
    ["a message that repeats a frame of the stack", "x\n    at real (/app/real.ts:10:5)"],
    ["a message that looks like another error", "TypeError: y\n    at evil (/app/secret.ts:1:1)"]
  ])("takes no frame from %s", (_, message) => {
    expect(Stack.parse(`Error: ${message}${tail}`, "Error", message)).toEqual(real)
  })

  it("takes no frame from a name", () => {
    const name = "Odd\n    at evil (/app/secret.ts:1:1)"
    expect(Stack.parse(`${name}${tail}`, name, "")).toEqual(real)
    expect(Stack.parse(`${name}: x${tail}`, name, "x")).toEqual(real)
  })

  it("reads the header that node gives to errors with a code", () => {
    expect(Stack.parse(`TypeError [ERR_X]: x${tail}`, "TypeError", "x")).toEqual(real)
  })

  it("reads a stack whose message was extended afterwards", () => {
    const old = "x\n    at evil (/app/secret.ts:1:1)"
    expect(Stack.parse(`Error: ${old}${tail}`, "Error", `while reading: ${old}`)).toEqual(real)
    expect(Stack.parse(`Error${tail}`, "Error", "set later")).toEqual(real)
  })

  it("takes no frame when the message was replaced and text cannot be distinguished from frames", () => {
    expect(Stack.parse(`Error: x\n    at evil (/app/secret.ts:1:1)${tail}`, "Error", "other")).toEqual([])
  })

  it("reads the place of a syntax error", () => {
    const stack = `/app/broken.ts:3\nconst = 1\n      ^\n\nSyntaxError: Unexpected token '='${tail}`
    expect(Stack.parse(stack, "SyntaxError", "Unexpected token '='")).toEqual([
      frame("", "/app/broken.ts", 3, 1),
      ...real
    ])
  })

  it.prop("takes nothing from any message", [FastCheck.string(), FastCheck.string()], ([before, after]) => {
    const message = `${before}\n    at evil (/app/secret.ts:1:1)\n${after}`
    const error = new Error(message)
    const files = Stack.parse(error.stack ?? "", error.name, message).map(({ file }) => file)
    expect(files).not.toContain("/app/secret.ts")
    expect(files.length).toBeGreaterThan(0)
  })

  it("gives at most 32 frames, and none for a line that is too long", () => {
    const many = Array.from({ length: 100 }, (_, index) => `\n    at f${index} (/a.ts:${index + 1}:1)`).join("")
    expect(Stack.parse(`Error: x${many}`, "Error", "x")).toHaveLength(32)
    expect(Stack.parse(`Error: x\n    at ${"(".repeat(5000)}`, "Error", "x")).toEqual([])
  })

  it("prefers the nearest frame of the project as the origin", () => {
    const foreign = frame("parse", "/app/node_modules/lib/index.js", 1, 1)
    const engine = frame("JSON.parse", "", 0, 0)
    const builtIn = frame("read", "node:fs", 1, 1)
    expect(Stack.origin([engine, foreign, builtIn, ...real])).toEqual(real[0])
    expect(Stack.origin([engine, builtIn])).toEqual(builtIn)
    expect(Stack.origin([engine])).toBeUndefined()
    expect([engine, foreign, builtIn, ...real].map(Stack.isForeign)).toEqual([true, true, true, false, false])
  })
})
