import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import * as DebugPage from "../../../src/errors/internal/debug/DebugPage.ts"
import { Sources } from "../../../src/errors/Sources.ts"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"
import * as Markup from "../../support/Markup.ts"
import * as Throwables from "../../support/Throwables.ts"

const file = Array.from({ length: 60 }, (_, index) => `const line${index + 1} = call("${index + 1}")`)

const sources = Sources.of({
  root: "/app",
  locate: (place) => place,
  read: (path) => (path.startsWith("/app/src/") ? file : undefined)
})

const options: DebugPage.Options = { sources, nonce: "bm9uY2U" }

const withStack = <E extends Error>(error: E, frames: ReadonlyArray<string>): E =>
  Object.assign(error, {
    stack: [`${error.name}: ${error.message}`, ...frames.map((frame) => `    at ${frame}`)].join("\n")
  })

const frames = [
  "place (/app/src/Orders.ts:20:16)",
  "Generator.next (<anonymous>)",
  "run (/app/node_modules/effect/dist/index.js:10:1)",
  "/app/src/App.ts:3:1"
]

class Rejected extends Schema.TaggedError<Rejected>()("Rejected", {
  order: Schema.Number,
  apiKey: Schema.String,
  cause: Schema.Defect
}) {
  override get message() {
    return `Order ${this.order} was rejected`
  }
}

const exhibit = (message = "The shelf is empty"): DebugPage.Content => ({
  throwable: CauseThrowables.from(
    withStack(
      new Rejected({ order: 7, apiKey: "canary-key", cause: withStack(new TypeError(message), frames.slice(0, 1)) }),
      frames
    )
  ),
  status: 500,
  request: { method: "GET", uri: "/orders/:id" },
  context: [
    { title: "Request", rows: [["method", "GET"]] },
    { title: "Headers", rows: [["accept", "text/html"]] }
  ]
})

const render = (given: DebugPage.Content): string => DebugPage.render(given, options)
const page = (given: DebugPage.Content): Markup.Element => Markup.parse(render(given))
const find = (root: Markup.Element | undefined, name: string, className = "") =>
  Markup.elements(root ?? expect.fail("nothing to look into")).filter(
    (element) =>
      element.name === name && (className === "" || (element.attributes["class"] ?? "").split(" ").includes(className))
  )

describe("DebugPage", () => {
  it("is the golden page", async () => {
    await expect(render(exhibit())).toMatchFileSnapshot("golden/debug-page.golden")
  })

  it("marks the failing line in an excerpt of 8 lines on each side", () => {
    const [panel] = find(page(exhibit()), "article", "panel")
    const lines = find(panel, "span", "l").concat(find(panel, "mark", "l"))
    expect(lines.map((line) => Number(line.attributes["data-n"])).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 17 }, (_, index) => 12 + index)
    )
    const marks = find(panel, "mark", "l")
    expect(marks.map((mark) => [mark.attributes["data-n"], Markup.text(mark).trim()])).toEqual([
      ["20", 'const line20 = call("20")']
    ])
    expect(find(panel, "u").map(Markup.text)).toEqual(["call"])
  })

  it("lists the frames and marks those of dependencies", () => {
    const [nav] = find(page(exhibit()), "nav", "frames")
    const items = find(nav, "li")
    expect(items.map((item) => [item.attributes["class"], Markup.text(item)])).toEqual([
      ["own code first", "placesrc/Orders.ts:20"],
      ["foreign code", "Generator.next"],
      ["foreign code", "runnode_modules/effect/dist/index.js:10"],
      ["own code", "(anonymous)src/App.ts:3"]
    ])
  })

  it("links each file to an editor by a scheme of its own", () => {
    const links = find(page(exhibit()), "a", "file").map(({ attributes }) => attributes["href"])
    expect(links).toEqual([
      "vscode://file/app/src/Orders.ts:20:16",
      "vscode://file/app/node_modules/effect/dist/index.js:10:1",
      "vscode://file/app/src/App.ts:3:1",
      "vscode://file/app/src/Orders.ts:20:16"
    ])
  })

  it("shows fields with secrets masked, chained causes, and the context", () => {
    const rows = find(page(exhibit()), "tr").map((row) =>
      row.children.map((cell) => Markup.text(cell as Markup.Element))
    )
    expect(rows).toEqual([
      ["order", "7"],
      ["apiKey", "********"],
      ["method", "GET"],
      ["accept", "text/html"]
    ])
    expect(find(page(exhibit()), "h2", "message").map(Markup.text)).toEqual(["The shelf is empty"])
    expect(find(page(exhibit()), "ul", "chain").map(Markup.text)).toEqual(["caused by TypeError"])
  })

  it("says so when the arguments are unknown", () => {
    const facts = find(page({ throwable: CauseThrowables.from("thrown") }), "div", "facts")
      .map(Markup.text)
      .join("")
    expect(facts).toContain("JavaScript keeps no arguments of past calls")
  })

  it("shows spans and their attributes", () => {
    const failing = Effect.fail(new Error("x")).pipe(
      Effect.withSpan("Orders.place", { attributes: { article: "teapot", accessToken: "canary" } })
    )
    const exit = Effect.runSyncExit(failing)
    const shown = page({ throwable: CauseThrowables.from(Exit.isFailure(exit) ? exit.cause : undefined) })
    expect(find(shown, "li", "span").map((item) => Markup.text(item).startsWith("Orders.place"))).toEqual([true])
    expect(find(shown, "tr").map(Markup.text)).toEqual(['article"teapot"', "accessToken********"])
  })

  it("is made of the same elements whatever the texts are", () => {
    const harmless = Markup.outline(page(hostile("harmless")))
    for (const text of Throwables.texts) expect(Markup.outline(page(hostile(text))), text).toEqual(harmless)
  })

  it("shows hostile text as text, with what is invisible spelled out", () => {
    for (const text of Throwables.texts) {
      const [heading] = find(page(hostile(text)), "h1")
      const shown = Markup.text(heading ?? expect.fail("no heading"))
      // oxlint-disable-next-line no-control-regex -- what must not be there
      expect(shown, text).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/)
    }
  })

  it.each(Throwables.all().map(([name]) => name))("renders %s, bounded", (name) => {
    const value = Throwables.all().find(([other]) => other === name)?.[1]
    const document = render({ ...exhibit(), throwable: CauseThrowables.from(value) })
    expect(find(Markup.parse(document), "section", "throwable").length).toBeGreaterThan(0)
    expect(Buffer.byteLength(document)).toBeLessThanOrEqual(DebugPage.maxBytes)
    expect(document).not.toContain("canary")
  })

  it("stays below 512 KiB when everything is as large as it can be", () => {
    const wide = '"'.repeat(100_000)
    const many = Array.from(
      { length: 40 },
      (_, index) => `${wide.slice(0, 300)} (/app/src/${wide.slice(0, 1000)}${index}.ts:30:1)`
    )
    let error = withStack(new Error(wide), many)
    for (let level = 0; level < 8; level++) error = withStack(new Error(wide, { cause: error }), many)
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}${wide}`, wide]))
    const rows = Array.from({ length: 500 }, (_, index) => [`${index}${wide}`, wide] as const)
    const context = Array.from({ length: 20 }, (_, index) => ({ title: `${index}${wide}`, rows }))
    const document = render({ throwable: CauseThrowables.from(Object.assign(error, fields)), context })
    expect(Buffer.byteLength(document)).toBeLessThanOrEqual(DebugPage.maxBytes)
    expect(() => Markup.parse(document)).not.toThrow()
  })

  it("shows at most 5 chained causes and 32 frames of each", () => {
    const many = Array.from({ length: 50 }, (_, index) => `f (/app/src/a.ts:${(index % 60) + 1}:1)`)
    let error = withStack(new Error("0"), many)
    for (let level = 1; level < 10; level++) error = withStack(new Error(String(level), { cause: error }), many)
    const shown = page({ throwable: CauseThrowables.from(error) })
    expect(find(shown, "section", "throwable")).toHaveLength(6)
    expect(find(shown, "nav", "frames").map((nav) => find(nav, "li").length)).toEqual([32, 32, 32, 32, 32, 32])
  })

  it("hides a secret of the request wherever a text repeats it", () => {
    const secret = "canary-0123456789"
    const error = Object.assign(
      withStack(new Error(`cannot send ${secret}`, { cause: secret }), [`f (/app/${secret}.ts:1:1)`]),
      {
        note: secret,
        list: [`${"x".repeat(70)}${secret}`]
      }
    )
    const document = render({
      throwable: CauseThrowables.from(error),
      secrets: [secret],
      request: { method: "GET", uri: `/${secret}` },
      context: [{ title: secret, rows: [[secret, secret]] }]
    })
    expect(document).not.toContain("canary")
  })

  it("loads nothing from elsewhere", () => {
    const shown = page(exhibit())
    const addresses = Markup.elements(shown).flatMap(({ attributes }) => [attributes["src"], attributes["href"]])
    const outside = addresses.filter((address) => address !== undefined && !/^(#|data:,|vscode:)/.test(address))
    expect(outside).toEqual([])
    expect(Markup.elements(shown).some(({ attributes }) => "style" in attributes || "onclick" in attributes)).toBe(
      false
    )
    for (const element of [...find(shown, "style"), ...find(shown, "script")]) {
      expect(element.attributes).toEqual({ nonce: "bm9uY2U" })
    }
    expect(render(exhibit())).not.toMatch(/https?:|@import|url\(|fetch\(|XMLHttpRequest|WebSocket|sendBeacon/)
  })

  it("carries a policy that lets in only its own style and script", () => {
    expect(DebugPage.contentSecurityPolicy("bm9uY2U")).toBe(
      "default-src 'none'; style-src 'nonce-bm9uY2U'; script-src 'nonce-bm9uY2U'; img-src data:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
  })
})

// The text in every place that a page prints.
const hostile = (text: string): DebugPage.Content => {
  const inner = withStack(Object.assign(new Error(`a ${text}`), { name: `b ${text}` }), [`c (/app/src/d.ts:3:1)`])
  const fields = { field: `e ${text}`, nested: { deep: `f ${text}` } }
  const error = Object.assign(new Error(`g ${text}`, { cause: inner }), { name: `h ${text}`, ...fields })
  const line = text.replace(/\s+/g, " ")
  const stack = `${error.name}: ${error.message}\n    at i ${line.replaceAll("(", "")} (/app/src/j.ts:20:1)`
  return {
    throwable: CauseThrowables.from(Object.assign(error, { stack })),
    status: 500,
    request: { method: `k ${text}`, uri: `l ${text}` },
    context: [{ title: `m ${text}`, rows: [[`n ${text}`, `o ${text}`]] }]
  }
}
