import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Xml from "../../../src/pagination/internal/Xml.ts"

const unescape = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#13;", "\r")
    .replaceAll("&amp;", "&")

describe("Xml", () => {
  it("prints fields as elements, lists as items, null as a mark", () => {
    expect(
      Xml.print("response", {
        items: [
          { id: 1, ok: true },
          { id: 2n, ok: null }
        ],
        next: ""
      })
    ).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n<response><items><item><id>1</id><ok>true</ok></item>' +
        '<item><id>2</id><ok nil="true"/></item></items><next></next></response>\n'
    )
  })

  it("names a field in an attribute when its name cannot be an element", () => {
    expect(Xml.print("response", { '1"<': 1 })).toContain('<field name="1&quot;&lt;">1</field>')
  })

  it("replaces what XML cannot hold", () => {
    expect(Xml.print("a", "x\u0000\u0008\ufffey\ud800")).toContain("<a>x\ufffd\ufffd\ufffdy\ufffd</a>")
  })

  it.prop("keeps every other text", [fc.string({ unit: "grapheme" })], ([text]) => {
    const printed = Xml.print("a", text)
    const inside = printed.slice(printed.indexOf("<a>") + 3, printed.lastIndexOf("</a>"))
    expect(inside).not.toMatch(/[<>"]/)
    // oxlint-disable-next-line no-control-regex -- what the printer replaces
    expect(unescape(inside)).toBe(text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd"))
  })
})
