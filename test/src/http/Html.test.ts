import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { escape } from "../../../src/http/internal/text/Escape.ts"
import { html, unsafeRaw } from "../../../src/http/Html.ts"

describe("Html", () => {
  it("escapes text in elements and in attributes", () => {
    const evil = `<script>alert("x")</script>&'`
    expect(html`<p title="${evil}">${evil}</p>`.markup).toBe(
      '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;">' +
        "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;</p>"
    )
  })

  it("keeps markup that is markup already, joins lists, prints nothing for nothing", () => {
    const items = ["a", "<b>"].map((item) => html`<li>${item}</li>`)
    expect(html`<ul>${items}</ul>${undefined}${null}${false}${true}${0}${unsafeRaw("<hr>")}`.markup).toBe(
      "<ul><li>a</li><li>&lt;b&gt;</li></ul>0<hr>"
    )
  })

  it("never lets a text open a tag or leave a quoted attribute", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), (text) => {
        const printed = html`${text}`.markup
        expect(printed).not.toMatch(/[<>"']/)
        expect(printed).toBe(escape(text))
      })
    )
  })
})
