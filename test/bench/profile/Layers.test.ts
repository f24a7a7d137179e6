import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { frameOf, type Layer, layerOf, layers, type Original } from "../../../bench/profile/Layers.ts"

const root = "/app"
const bundle = "file:///app/dist/bench/server/Program.js"

const at = (url: string, functionName = "run", lineNumber = 4) => ({ functionName, url, lineNumber, columnNumber: 2 })

const mapped = (source: string): ReadonlyMap<string, Original> => new Map([[bundle, () => ({ source, line: 9 })]])

const layer = (url: string, name?: string) => layerOf(frameOf(at(url, name), new Map(), root))

describe("the layer of a function", () => {
  const sources: ReadonlyArray<readonly [source: string, layer: Layer]> = [
    ["../../../layers/server/Edge.ts", "framework"],
    ["../../../src/http/RequestState.ts", "framework"],
    ["../../../routes/http/Respond.ts", "framework"],
    ["../../../app/App.ts", "framework"],
    ["../../../node_modules/effect/src/internal/fiberRuntime.ts", "effect"],
    ["../../../node_modules/@effect/platform/src/HttpServer.ts", "effect"],
    ["../../../node_modules/@effect/sql/node_modules/uuid/index.js", "drivers"],
    ["../../../node_modules/pg/lib/client.js", "drivers"],
    ["../../../demo/articles/Routes.ts", "program"],
    ["../../../bench/server/Hello.ts", "program"]
  ]

  it.each(sources)("of %s in a bundle is %s", (source, expected) => {
    const frame = frameOf(at(bundle), mapped(source), root)
    expect(layerOf(frame)).toBe(expected)
    expect(frame.source.startsWith(".")).toBe(false)
    expect(frame.line).toBe(10)
  })

  it("of what is not bundled follows from its path", () => {
    expect(layer("file:///app/layers/server/Edge.ts")).toBe("framework")
    expect(layer("file:///app/node_modules/better-sqlite3/lib/database.js")).toBe("drivers")
    expect(layer("file:///elsewhere/node_modules/effect/dist/esm/Effect.js")).toBe("effect")
    expect(layer("node:internal/streams/writable")).toBe("node")
    expect(layer("file:///app/demo/main.ts")).toBe("program")
  })

  it("of what has no source is native, garbage collection or nothing at all", () => {
    expect(layer("", "writeUtf8String")).toBe("native")
    expect(layer("", "(program)")).toBe("native")
    expect(layer("", "(garbage collector)")).toBe("garbage")
    expect(layer("", "(idle)")).toBeUndefined()
  })

  it.prop("is one of the layers for every function", [FastCheck.string(), FastCheck.string()], ([url, name]) => {
    const found = layer(url, name)
    if (found === undefined) expect(name).toBe("(idle)")
    else expect(layers).toContain(found)
  })
})
