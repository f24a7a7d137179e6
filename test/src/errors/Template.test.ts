import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as Template from "../../../src/errors/internal/Template.ts"
import { pagePolicy } from "../../../src/errors/internal/Template.ts"

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
    ["{{ user }}", "{{ user }} is not one of status, text, message, id"],
    ["{{}}", "{{  }} is not one of status, text, message, id"],
    ["<style>a { {{ text }} }</style>", "a placeholder inside a style or a script is not supported"],
    ["<script>'{{ text }}'</script>", "a placeholder inside a style or a script is not supported"]
  ])("is invalid: %s", (text, reason) => {
    expect(Either.flip(Template.parse(text))).toEqual(Either.right(reason))
  })
})

describe("an included file", () => {
  const partials = new Map([
    ["head", "<title>{{ status }}</title>"],
    ["foot-2", "</body>"],
    ["loop", "{{ include loop }}"]
  ])

  it("takes the place of its name, with its own placeholders", () => {
    const whole = Template.include("<head>{{ include head }}</head>{{include  foot-2}}{{ a.b }}", partials)
    expect(whole).toEqual(Either.right("<head><title>{{ status }}</title></head></body>{{ a.b }}"))
    expect(Either.flatMap(whole, render)).toEqual(Either.right("<head><title>404</title></head></body>{{ a.b }}"))
  })

  it.each([
    ["{{ include main }}", "{{ include main }}: there is no _main.html in this folder"] as const,
    ["{{ include loop }}", "_loop.html includes another file, which is not supported"] as const,
    ...["include", "include ../secret", "include /etc/passwd", "include head.html", "include Head", "include a b"].map(
      (given) =>
        [`{{ ${given} }}`, `{{ ${given} }} does not name a file of this folder, as {{ include head }} does`] as const
    )
  ])("is invalid: %s", (text, reason) => {
    expect(Either.flip(Template.include(text, partials))).toEqual(Either.right(reason))
  })

  it.prop("is never anything but one of the folder", [FastCheck.string()], ([given]) => {
    const name = given.replaceAll(/[{}]/g, "")
    const text = `{{ include ${name} }}`
    const whole = Template.include(text, partials)
    const isNamed = partials.has(name.trim())
    if (!isNamed) expect(Either.getOrElse(whole, () => text)).toBe(text)
  })

  it.prop("is not looked for in a text without one", [FastCheck.string()], ([text]) => {
    const plain = text.replaceAll("include", "")
    expect(Template.include(plain, partials)).toEqual(Either.right(plain))
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

it("allows files of the site and the inline styles and scripts with the given hashes", () => {
  const policy = pagePolicy(["'sha256-a'"], ["'sha256-b'"])
  expect(policy).toContain("default-src 'none'; style-src 'self' 'sha256-a'; script-src 'self' 'sha256-b';")
  expect(pagePolicy()).not.toContain("unsafe")
})
