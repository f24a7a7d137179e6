import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Fields from "../../../src/http/internal/Fields.ts"

describe("Fields", () => {
  it("are read from a form", () => {
    const fields = Fields.fromForm("email=a%40b.c&remember=1&empty=&x=a+b")
    expect(fields?.get("email")).toBe("a@b.c")
    expect(fields?.get("empty")).toBe("")
    expect(fields?.get("x")).toBe("a b")
    expect(fields?.has("remember")).toBe(true)
    expect(fields?.get("other")).toBeUndefined()
  })

  it.each(["password=%FFuiet", "password=%ED%A0%80", "%C3=x", "a=%E2%82&b=%AC"])(
    "are none where %s is no UTF-8",
    (text) => {
      expect(Fields.fromForm(text)).toBeUndefined()
    }
  )

  it("keep a sign that begins no escape", () => {
    expect(Fields.fromForm("a=100%&b=%zz&c=%C3%A9&d=%EF%BF%BD")?.names).toEqual(["a", "b", "c", "d"])
    expect(Fields.fromForm("a=100%&c=%C3%A9")?.get("a")).toBe("100%")
  })

  it("count the first value of a name that is repeated, and name it", () => {
    const fields = Fields.fromForm("role=user&role=admin")
    expect(fields?.get("role")).toBe("user")
    expect([...(fields?.repeated ?? [])]).toEqual(["role"])
  })

  it("are read from a JSON object: texts, numbers and true; nothing nested", () => {
    const fields = Fields.fromJson('{"a":"x","n":7,"yes":true,"no":false,"deep":{"b":1},"list":[1],"nil":null}')
    expect(fields?.names).toEqual(["a", "n", "yes"])
    expect(fields?.get("n")).toBe("7")
  })

  it("have the lists of a JSON object apart, where they hold nothing nested", () => {
    const text = '{"a":["x",7,true,false],"b":[],"c":[["x"]],"d":[null],"e":[{"x":1}],"f":"x","__proto__":["y"]}'
    const fields = Fields.fromJson(text)
    expect(fields?.names).toEqual(["f"])
    expect([fields?.get("a"), fields?.has("a"), fields?.list("a")]).toEqual([
      undefined,
      false,
      ["x", "7", "true", "false"]
    ])
    expect(["b", "c", "d", "e", "f", "g", "toString"].map((name) => fields?.list(name))).toEqual([[], ...Array(6)])
    expect(fields?.list("__proto__")).toEqual(["y"])
    expect(Fields.fromForm("a=x&a=y")?.list("a")).toBeUndefined()
  })

  it.each(["", "[]", "null", "7", '"x"', "{", '{"a":'])("are none in the JSON text %s", (text) => {
    expect(Fields.fromJson(text)).toBeUndefined()
  })

  it("cannot be confused by the names of an object's own methods", () => {
    const fields = Fields.fromJson('{"__proto__":{"admin":"1"},"constructor":"x"}')
    expect(fields?.get("admin")).toBeUndefined()
    expect(fields?.get("constructor")).toBe("x")
    expect(Fields.fromForm("a=1")?.get("toString")).toBeUndefined()
  })

  it("stop at a number that no form has", () => {
    const text = Array.from({ length: 5000 }, (_, index) => `f${index}=1`).join("&")
    expect(Fields.fromForm(text)?.names).toHaveLength(Fields.maxFields)
  })

  it("are read as browsers read them, whatever is wrong with their encoding", () => {
    for (const text of ["a=%", "a=%zz&b=%41", "%=1", "a==b", "=a", "a", "&&a=1&&", "a=b=c&+=+", "a=%2B+%26", "é=ü"]) {
      const fields = Fields.fromForm(text)
      expect(fields?.names.map((name) => [name, fields.get(name)])).toEqual(Array.from(new URLSearchParams(text)))
    }
  })

  it("are not parsed from a JSON text that holds more values than a form has", () => {
    const nested = "[".repeat(Fields.maxValues + 1) + "]".repeat(Fields.maxValues + 1)
    const names = Array.from({ length: Fields.maxValues + 2 }, (_, index) => `"${index}":1`).join(",")
    for (const text of [`{"a":${nested}}`, `{${names}}`, `{"a":[${"0,".repeat(Fields.maxValues)}0]}`]) {
      expect(Fields.fromJson(text)).toBeUndefined()
    }
    // What stands in a text is no value.
    expect(Fields.fromJson(JSON.stringify({ a: '",[{\\"'.repeat(Fields.maxValues) }))?.has("a")).toBe(true)
  })

  it("come back as they were sent, whatever their text", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.dictionary(
          FastCheck.string({ minLength: 1, unit: "grapheme" }),
          FastCheck.string({ unit: "grapheme" })
        ),
        (sent) => {
          const form = Fields.fromForm(new URLSearchParams(sent).toString())
          const json = Fields.fromJson(JSON.stringify(sent))
          for (const [name, value] of Object.entries(sent)) {
            expect(form?.get(name)).toBe(value)
            expect(json?.get(name)).toBe(value)
          }
        }
      )
    )
  })
})
