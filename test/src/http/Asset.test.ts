import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Asset from "../../../src/http/Asset.ts"

const make = (content: string) => Asset.make("/assets/a.css", "text/css", content)

it("has a URL and an ETag with the FNV-1a hash of its content", () => {
  expect(make("a")).toMatchObject({ href: "/assets/a.css?v=af63dc4c8601ec8c", etag: '"af63dc4c8601ec8c"' })
  expect(make("").href).toBe("/assets/a.css?v=cbf29ce484222325")
})

it.prop("changes its URL with its content, and only then", [FastCheck.string(), FastCheck.string()], ([a, b]) => {
  expect(make(a).href === make(b).href).toBe(a === b)
  expect(make(a).href).toMatch(/^\/assets\/a\.css\?v=[0-9a-f]{16}$/)
})
