import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import { createHash } from "node:crypto"
import { statusPage, style, styleHash } from "../../../routes/errors/internal/StatusResponse.ts"
import * as Template from "../../../src/errors/internal/Template.ts"
import * as Markup from "../../support/Markup.ts"
import * as Throwables from "../../support/Throwables.ts"

const facts = { status: 404, text: "Not Found", message: "<Nothing> & 'no one'" }

describe("StatusPage", () => {
  it("is the golden page", async () => {
    await expect(statusPage(404, "Not Found")).toMatchFileSnapshot("golden/status-page.golden")
  })

  it("has the code and the text, and nothing else", () => {
    const document = Markup.parse(statusPage(404, "Not Found"))
    const body = Markup.elements(document).find(({ name }) => name === "body")
    expect(Markup.text(body ?? expect.fail("no body"))).toBe("404Not Found")
  })

  it("names the hash of its style for the policy", () => {
    expect(styleHash).toBe(`'sha256-${createHash("sha256").update(style).digest("base64")}'`)
    expect(statusPage(404, "x")).toContain(`<style>${style}</style>`)
  })

  it("escapes what it is given", () => {
    const harmless = Markup.outline(Markup.parse(statusPage(400, "harmless")))
    for (const text of Throwables.texts) {
      expect(Markup.outline(Markup.parse(statusPage(400, `a ${text}`))), text).toEqual(harmless)
    }
  })
})

describe("Template", () => {
  it("fills in marks, escaped", () => {
    const page = Either.getOrThrow(Template.parse("<h1>{{status}} {{ text }}</h1><p>{{ message }}</p>"))
    expect(page(facts)).toBe("<h1>404 Not Found</h1><p>&lt;Nothing&gt; &amp; &#39;no one&#39;</p>")
  })

  it("does not replace placeholders inside a value", () => {
    const page = Either.getOrThrow(Template.parse("{{ message }}"))
    expect(page({ ...facts, message: "{{ status }} $& $1" })).toBe("{{ status }} $&amp; $1")
  })

  it.each([
    ["{{ user }}", "{{ user }} is not one of status, text, message, id"],
    ["{{ constructor }}", "{{ constructor }} is not one of status, text, message, id"],
    ["<script>x = '{{ message }}'</script>", "a placeholder inside a style or a script is not supported"],
    ["<style>p { color: {{ text }} }</style>", "a placeholder inside a style or a script is not supported"]
  ])("refuses %j", (text, reason) => {
    expect(Template.parse(text)).toEqual(Either.left(reason))
  })

  it("finds inline styles and scripts for their hashes", () => {
    const text = '<style>a</style><STYLE media="x">b</STYLE><script src="/x.js"></script><script>c</script>'
    expect(Template.inlined(text, "style")).toEqual(["a", "b"])
    expect(Template.inlined(text, "script")).toEqual(["c"])
  })
})
