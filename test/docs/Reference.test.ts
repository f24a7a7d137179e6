// The API reference is what the sources say today, and every export says something.
import { describe, expect, it } from "@effect/vitest"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import * as Exports from "../../docs/tools/Exports.ts"
import * as Reference from "../../docs/tools/Reference.ts"
import { compact, longest } from "../../docs/tools/Signature.ts"
import { usesOf } from "../../site/Uses.ts"
import { root } from "../support/Demo.ts"
import { compiled } from "./Compiled.ts"
import { read } from "./Pages.ts"

const { entries, mentioned } = await compiled()
const modules = entries.flatMap((entry) => entry.modules)
const find = (module: string, name: string) =>
  modules.find((one) => one.name === module)?.exports.find((one) => one.name === name)

const isUsed = (module: string, name: string) => usesOf(module, name).length > 0

describe("the API reference", () => {
  it("covers every entry point of the package", () => {
    const manifest: { readonly exports: object } = JSON.parse(read("package.json"))
    const names = Object.keys(manifest.exports).filter((name) => name !== "./package.json")
    expect(entries.map(({ name }) => name)).toEqual(names.map((name) => name.replace(/^\./, "effect-framework")))
  })

  it("is as `npm run reference` writes it", () => {
    const pages = Reference.pages(entries, mentioned)
    expect(readdirSync(join(root, "docs", "api")).sort()).toEqual([...pages.keys(), "surface.txt"].sort())
    expect([...pages].filter(([name, text]) => read(`docs/api/${name}`) !== text).map(([name]) => name)).toEqual([])
  })

  it("has a page for every module, and a purpose", () => {
    const text = [...Reference.pages(entries, mentioned).values()].join("\n")
    expect(modules.filter(({ name }) => !text.includes(`### ${name}\n`)).map(({ path }) => path)).toEqual([])
    expect(modules.filter(({ purpose }) => !/[.:?]$/.test(purpose)).map(({ path }) => path)).toEqual([])
  })

  it("has a sentence for every export", () => {
    expect(Reference.silent(entries)).toEqual([])
  })

  it("has a signature for every export, or its members", () => {
    expect(Reference.shapeless(entries)).toEqual([])
  })

  it("has an example for every export, or leads to code that can be copied", () => {
    expect(Reference.unshown(entries, mentioned, isUsed)).toEqual([])
  })

  it("shows an example, which is compiled with those of the guides, for what people meet first", async () => {
    const shown = modules.flatMap(({ exports, name }) =>
      exports.flatMap((one) => (one.example === undefined ? [] : [`${name}.${one.name}`]))
    )
    expect(shown.length).toBeGreaterThanOrEqual(30)
    expect(shown).toEqual(expect.arrayContaining(["App.run", "Access.requireUser", "Users.Users", "Entity.make"]))
    expect([...Reference.pages(entries, mentioned).values()].join("\n")).toContain(
      "  const tea = HttpLayerRouter.route("
    )
    expect((await compiled()).faults).toEqual([])
  })

  it("leads from a type to the signatures in which it stands, and through a type to its value", () => {
    expect(mentioned["Jobs.EnqueueOptions"]).toEqual(["Jobs.enqueueAll", "Jobs.enqueue"])
    const pages = Reference.pages(entries, mentioned)
    expect(pages.get("jobs.md")).toContain("  Stands in [`Jobs.enqueueAll`](jobs.md#jobs-1), [`Jobs.enqueue`]")
    expect(pages.get("mail.md")).toContain("  Stands in [`MailTexts.Texts`](mail.md#mailtexts).\n")
    expect(mentioned["TestApp.SignedInClient"]).toContain("TestApp.signedInUser")
  })

  it("would notice an export without them", () => {
    const mute = {
      name: "mute",
      generics: "",
      kind: "value",
      signature: "",
      sentence: undefined,
      example: undefined,
      members: []
    }
    const module = { name: "Tea", path: "src/auth/Tea.ts", subsystem: "auth", purpose: "Tea.", exports: [mute] }
    const tea = [{ name: "tea", purpose: "Tea.", modules: [module] }]
    const found = [Reference.silent(tea), Reference.shapeless(tea), Reference.unshown(tea, {}, () => false)]
    expect(found).toEqual([["src/auth/Tea.ts: Tea.mute"], ["src/auth/Tea.ts: Tea.mute"], ["src/auth/Tea.ts: Tea.mute"]])
    expect(Reference.unshown(tea, {}, (_, name) => name === "mute")).toEqual([])
  })

  it("tells services, errors, schemas, types, functions and layers apart", () => {
    const kinds = [
      find("Tokens", "Tokens"),
      find("RateLimit", "TooManyRequests"),
      find("Tokens", "Purpose"),
      find("Environment", "Name"),
      find("Users", "normalizeEmail"),
      find("SqlTokens", "layer")
    ]
    expect(kinds.map((one) => one?.kind)).toEqual(["service", "error", "schema", "type", "function", "layer"])
  })

  it("lists the methods of a service with what they promise", () => {
    expect(find("RateLimit", "RateLimit")?.members).toContainEqual({
      name: "hit",
      signature: "(rule: Rule, key: string) => Effect<Decision>",
      sentence: "Counts a hit under the key, or refuses it; refused hits do not count."
    })
  })

  it("shares the sentence of names that are taken apart together", () => {
    expect(find("DatabaseUrl", "Postgres")?.sentence).toBe(find("DatabaseUrl", "Sqlite")?.sentence)
  })
})

describe("a sentence", () => {
  it.each([
    ["One. Two.", "One."],
    ["On two\n lines. More.", "On two lines."],
    ["As RFC 5952 asks, e.g. for `::1`. More.", "As RFC 5952 asks, e.g. for `::1`."],
    ["`GET /csrf`, answered with `{ token }`.", "`GET /csrf`, answered with `{ token }`."],
    ["Without an end", undefined],
    ["", undefined]
  ])("of %j is %j", (comment, sentence) => {
    expect(Exports.sentenceOf(comment)).toBe(sentence)
  })
})

describe("a signature", () => {
  it.each([
    ["Effect.Effect<void, B | A>", "Effect<void, A | B>"],
    ["A | A", "A"],
    ["Other.Effect<1>", "Other.Effect<1>"],
    ["({ a, b }: Options) => void", "(options: Options) => void"],
    ["(args_0: Screen.Screen, status?: number) => void", "(screen: Screen, status?: number) => void"],
    ["{ readonly a: 1;\n  readonly b: 2 }", "{ readonly a: 1; readonly b: 2 }"]
  ])("of %s is %s", (text, signature) => {
    expect(compact(text)).toBe(signature)
  })

  it("leaves out what does not fit", () => {
    const long = Array.from({ length: 60 }, (_, index) => `Service${index}`).join(" | ")
    expect(compact(`(name: string) => Effect.Effect<void, never, ${long}>`)).toBe("(name: string) => Effect<…>")
    expect(compact(`"${"x".repeat(500)}"`)).toHaveLength(longest + 1)
  })
})
