import { describe, expect, it } from "@effect/vitest"
import { blank } from "../../../src/errors/internal/debug/DebugParts.ts"
import * as DebugRequest from "../../../src/errors/internal/debug/DebugRequest.ts"
import * as PanelPage from "../../../src/devtools/internal/PanelPage.ts"
import * as RequestPanel from "../../../src/devtools/internal/RequestPanel.ts"
import type { RecordedRequest, RecordedSpan } from "../../../src/http/internal/RecordedRequest.ts"
import * as Markup from "../../support/Markup.ts"
import * as Throwables from "../../support/Throwables.ts"

const span = (id: number, given: Partial<RecordedSpan> = {}): RecordedSpan => ({
  id: String(id),
  parent: id === 0 ? undefined : "0",
  name: `step ${id}`,
  start: id,
  duration: 2,
  outcome: "ended",
  attributes: [["cup", '"blue"']],
  statement: undefined,
  ...given
})

const request = (given: Partial<RecordedRequest> = {}): RecordedRequest => ({
  pid: 42,
  id: "a",
  method: "GET",
  uri: "/cups",
  startedAt: 1_700_000_000_000,
  status: 200,
  state: "ended",
  duration: 10,
  spans: [span(0, { duration: 10 }), span(1), span(2, { statement: "SELECT 1", outcome: "failed" })],
  lines: [{ at: 1.5, level: "WARN", text: "The shelf is low" }],
  omitted: { spans: 0, lines: 0 },
  ...given
})

const texts = (root: Markup.Element, name: string) =>
  Markup.elements(root)
    .filter((element) => element.name === name)
    .map((element) => Markup.text(element).replace(/\s+/g, " ").trim())

const outline = (element: Markup.Element): string =>
  `${element.name}[${Object.keys(element.attributes).join()}](${Markup.elements(element)
    .slice(1)
    .map(({ name }) => name)
    .join()})`

describe("DebugRequest", () => {
  it.each([
    [0.416, "0.42 ms"],
    [12.34, "12.3 ms"],
    [1204, "1.20 s"]
  ])("prints %d milliseconds as %s", (given, printed) => {
    expect(DebugRequest.duration(given)).toBe(printed)
  })

  it("has a bar for each span, without a style attribute", () => {
    const { markup } = DebugRequest.timeline(blank(100_000), request())
    expect(markup).not.toContain("style=")
    expect(markup.match(/<rect class="(?:ended|failed)"/g)).toHaveLength(3)
    expect(markup).toContain('x="0.0" y="0" width="1000.0"')
    expect(markup).toContain('x="100.0" y="0" width="200.0"')
  })

  it("counts what it leaves out", () => {
    const spans = Array.from({ length: 130 }, (_, at) => span(at))
    const { markup } = DebugRequest.timeline(blank(1_000_000), request({ spans, omitted: { spans: 5, lines: 0 } }))
    expect(markup).toContain("15 more spans are not shown.")
  })

  it("fits the size that is left", () => {
    const draft = blank(2000)
    const { markup } = DebugRequest.all(draft, request())
    expect(markup).toContain("Omitted to keep the page small.")
    expect(draft.left).toBeGreaterThanOrEqual(0)
  })
})

describe("RequestPanel", () => {
  const render = (page: PanelPage.Page) => Markup.parse(PanelPage.render(page, "n"))

  it("lists requests with their status, statements and log lines", () => {
    const aborted = request({ id: "b", state: "aborted", status: undefined })
    const rows = texts(render(RequestPanel.list([request(), aborted])), "td")
    expect(rows).toEqual([
      "22:13:20",
      "GET /cups",
      "200",
      "10.0 ms",
      "1 in 2.00 ms",
      "1",
      "42",
      "22:13:20",
      "GET /cups",
      "aborted",
      "10.0 ms",
      "1 in 2.00 ms",
      "1",
      "42"
    ])
  })

  it("says that there is none", () => {
    const page = PanelPage.render(RequestPanel.list([]), "n")
    expect(page).toContain("No request in the last minute.")
  })

  it("has the same elements whatever the texts are", () => {
    const pages = ["harmless", ...Throwables.texts].map((text) => {
      const hostile = request({
        uri: text,
        method: text,
        spans: [span(0, { name: `n ${text}`, statement: `s ${text}` })],
        lines: [{ at: 0, level: "INFO", text: `l ${text}` }]
      })
      return [RequestPanel.detail(hostile), RequestPanel.list([hostile])].map((page) => outline(render(page)))
    })
    expect(new Set(pages.map((page) => page.join()))).toHaveLength(1)
  })
})
