import { HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import * as NoStore from "../../../routes/http/internal/NoStore.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import { html } from "../../../src/http/Html.ts"

type Response = HttpServerResponse.HttpServerResponse

const read = async (response: Response) => {
  const web = HttpServerResponse.toWeb(response)
  return { headers: Object.fromEntries(web.headers), status: web.status, text: await web.text() }
}

const markup = html`<p>${"a & b"}</p>`
const page = { "content-type": "text/html; charset=utf-8" }
const json = { "content-type": "application/json" }
const text = { "content-type": "text/plain; charset=utf-8" }

describe("Respond", () => {
  it.each<[name: string, Response, headers: Record<string, string>, status: number, body: string]>([
    ["JSON", Respond.json({ a: 1 }), json, 200, '{"a":1}'],
    ["JSON with a status", Respond.json([], { status: 202 }), json, 202, "[]"],
    ["JSON with headers", Respond.json(1, { headers: { vary: "Accept" } }), { ...json, vary: "Accept" }, 200, "1"],
    ["a page", Respond.page(markup), page, 200, "<p>a &amp; b</p>"],
    ["a page with a status", Respond.page(markup, { status: 410 }), page, 410, "<p>a &amp; b</p>"],
    ["text", Respond.text("a"), text, 200, "a"],
    ["text of a type", Respond.text("a", { contentType: "text/csv" }), { "content-type": "text/csv" }, 200, "a"],
    ["JSON that is not stored", NoStore.json({}), { ...json, ...NoStore.headers }, 200, "{}"],
    ["a page that is not stored", NoStore.page(markup, 422), { ...page, ...NoStore.headers }, 422, "<p>a &amp; b</p>"],
    ["a redirect", NoStore.seeOther("/a"), { location: "/a", ...NoStore.headers }, 303, ""]
  ])("makes %s", async (_name, response, headers, status, body) => {
    expect(await read(response)).toEqual({ headers, status, text: body })
  })

  it("changes no later response with the headers of one", async () => {
    for (const make of [() => Respond.json(1), () => Respond.page(markup), () => NoStore.json(1)]) {
      const before = make()
      const changed = HttpServerResponse.setHeader(HttpServerResponse.setStatus(before, 500), "x-a", "1")
      expect(changed.headers["x-a"]).toBe("1")
      expect(make().headers).toEqual(before.headers)
      expect(make().status).toBe(200)
      expect(before.headers["x-a"]).toBeUndefined()
    }
  })
})
