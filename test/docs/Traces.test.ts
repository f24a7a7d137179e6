// The traces of docs/tracing.md are those that the demo really makes.
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as TracePicture from "../../docs/tools/TracePicture.ts"
import * as Traces from "../../docs/tools/Traces.ts"
import { describeBrowser } from "../support/Browser.ts"
import { main, root } from "../support/Demo.ts"
import { read } from "./Pages.ts"

const Span = Schema.Struct({
  name: Schema.String,
  place: Schema.Literal("browser", "server", "queue"),
  parent: Schema.UndefinedOr(Schema.Number).pipe(Schema.optional),
  start: Schema.Number,
  duration: Schema.Number,
  statement: Schema.UndefinedOr(Schema.String).pipe(Schema.optional)
})

const decode = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Array(Schema.Struct({ title: Schema.String, spans: Schema.Array(Span) })))
)

const folder = join(root, "docs", "pictures")
const picture = (file: string) => readFileSync(join(folder, file), "utf8")

const kept = (): ReadonlyArray<Traces.Trace> =>
  decode(picture("traces.json")).map(({ spans, title }) => ({
    title,
    spans: spans.map(({ parent, statement, ...span }) => ({ ...span, parent, statement }))
  }))

/** What a trace is made of, without its times: each span behind its parents. */
const shape = ({ spans }: Traces.Trace): ReadonlyArray<string> => {
  const path = (index: number): string => {
    const span = spans[index]
    if (span === undefined) return "?"
    const own = `${span.place} ${span.name} ${span.statement?.replace(/\s+/g, " ").trim() ?? ""}`.trim()
    return span.parent === undefined ? own : `${path(span.parent)} > ${own}`
  }
  return Array.from(new Set(spans.map((_, index) => path(index)))).sort()
}

describe("the traces", () => {
  it("are drawn from what was recorded", () => {
    const traces = kept()
    expect(traces.length).toBeGreaterThan(1)
    expect(
      readdirSync(folder)
        .filter((file) => file.endsWith(".svg"))
        .sort()
    ).toEqual(traces.map((_, index) => TracePicture.file(index)))
    traces.forEach((trace, index) => {
      const drawn = TracePicture.render(trace)
      expect(picture(TracePicture.file(index))).toBe(drawn)
      expect(drawn.match(/<rect /g)).toHaveLength(trace.spans.length)
      expect(read("docs/tracing.md")).toMatch(
        new RegExp(`!\\[[^\\]]{10,}\\]\\(pictures/${TracePicture.file(index)}\\)`)
      )
    })
  })

  it("begin in the browser, and reach the database and the mail queue without a secret", () => {
    const [list, signUp] = kept()
    expect(list?.spans[0]?.place).toBe("browser")
    expect(list?.spans.some(({ statement }) => statement !== undefined)).toBe(true)
    expect(signUp?.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["POST /register", "Users.enroll", "Jobs.enqueue", "job mail", "Mailer.send"])
    )
    expect(picture("traces.json")).not.toMatch(/ada@example|quiet harbour|\/tmp\//)
  })
})

describeBrowser("the running demo", () => {
  it("still makes these traces", async () => {
    const fresh = await Traces.record({ root, main: main() })
    expect(fresh.map(shape)).toEqual(kept().map(shape))
  })
})
