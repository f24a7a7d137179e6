import { describe, expect, it } from "@effect/vitest"
import { Context, Exit, FastCheck, Option } from "effect"
import { RequestRecording } from "../../../layers/devtools/internal/RequestRecording.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import { requestStateOf } from "../../support/RequestStates.ts"

const verifier = "f".repeat(64)

const state = requestStateOf({ id: "a", path: `/reset/x/${verifier}`, route: "" })

const record = (
  secrets: ReadonlyArray<string>,
  act: (recording: RequestRecording, span: RecordedSpans.RecordedSpan) => void
) => {
  const spans: Array<RecordedSpans.RecordedSpan> = []
  const span = RecordedSpans.make(spans).span("GET", Option.none(), Context.empty(), [], 0n, "server")
  const recording = new RequestRecording(
    state,
    span,
    () => secrets,
    () => 5_000_000n
  )
  const [made] = spans
  if (made === undefined) throw new Error("no span")
  act(recording, made)
  return recording.view()
}

describe("RequestRecording", () => {
  it("masks the secrets of the request, secret names and a token in the path", () => {
    const view = record(["swordfish-42"], (recording, span) => {
      const opened = recording.begin(span)
      span.attribute("cup", "swordfish-42")
      if (opened === undefined) throw new Error("full")
      opened.attributes.set("cup", "with swordfish-42 in it").set("apiKey", "canary").set("code.stacktrace", "at x")
      opened.attributes.set("db.query.text", "SELECT 'canary' FROM cups -- swordfish-42")
      recording.log({ level: "INFO", text: "signed in with swordfish-42 password=canary" })
      recording.endSpan(opened, 5_000_000n, Exit.void)
    })
    expect(JSON.stringify(view)).not.toMatch(/swordfish|canary|ffff|code\.stacktrace/)
    expect(view.uri).toBe("/reset/x/********")
    expect(view.lines).toEqual([{ at: 5, level: "INFO", text: "signed in with ******** password=********" }])
    expect(view.spans[0]?.attributes).toEqual([
      ["cup", '"with ******** in it"'],
      ["apiKey", "********"]
    ])
  })

  it("clips what is long", () => {
    const view = record([], (recording, span) => {
      const opened = recording.begin(span)
      opened?.attributes.set("db.statement", `SELECT ${"x, ".repeat(5000)}`)
      recording.log({ level: "INFO", text: "x".repeat(5000) })
    })
    expect(view.spans[0]?.statement).toHaveLength(2048)
    expect(view.lines[0]?.text).toHaveLength(1024)
  })

  it.prop("never shows a secret, wherever it stands", [FastCheck.string(), FastCheck.string()], ([before, after]) => {
    const secret = "Zq7-canary-secret"
    const text = `${before}${secret}${after}`
    const view = record([secret], (recording, span) => {
      recording.log({ level: "INFO", text })
      recording.begin(span)?.attributes.set("value", text).set("db.query.text", text)
    })
    expect(JSON.stringify(view)).not.toContain(secret)
  })
})
