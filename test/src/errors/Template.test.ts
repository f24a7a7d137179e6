import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Template from "../../../src/errors/Template.ts"

const data = { status: 404, text: "Not Found", message: "There is no such page." }

const render = (text: string, given = data) => Either.map(Template.parse(text), (page) => page(given))

describe("a template", () => {
  it("has placeholders for the status, its text and the message", () => {
    expect(render("{{status}} {{ text }}: {{  message  }}")).toEqual(
      Either.right("404 Not Found: There is no such page.")
    )
  })

  it.prop("escapes every value", [FastCheck.string()], ([message]) => {
    const page = Either.getOrThrow(render("<p>{{ message }}</p>", { ...data, message }))
    expect(page.slice(3, -4)).not.toMatch(/[<>"']/)
  })

  it.prop("is left as it is outside of placeholders", [FastCheck.string()], ([text]) => {
    const plain = text.replaceAll("{", "")
    expect(render(plain)).toEqual(Either.right(plain))
  })

  it("keeps braces that are no placeholder", () => {
    expect(render("{{ a.b }} {{ {{")).toEqual(Either.right("{{ a.b }} {{ {{"))
  })

  it.each([
    ["{{ user }}", "{{ user }} is not one of status, text, message"],
    ["{{}}", "{{  }} is not one of status, text, message"],
    ["<style>a { {{ text }} }</style>", "a placeholder inside a style or a script is not supported"],
    ["<script>'{{ text }}'</script>", "a placeholder inside a style or a script is not supported"]
  ])("is invalid: %s", (text, reason) => {
    expect(Either.flip(Template.parse(text))).toEqual(Either.right(reason))
  })
})

describe("the inline content of a template", () => {
  it.each([
    ["<style>a</style><STYLE media=x>b</STYLE >", ["a", "b"]],
    ["<style></style>", []],
    ["<style>a", []],
    ["<styles>a</styles><style", []],
    ["<script>a</script>", []]
  ])("%s", (text, contents) => {
    expect(Template.inlined(text, "style")).toEqual(contents)
  })
})
