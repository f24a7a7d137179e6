import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Asset from "../../../src/http/Asset.ts"

const make = (content: string) => Asset.make("/assets/a.css", "text/css", content)

it("has a URL and an ETag with the FNV-1a hash of its content, from two bases", () => {
  expect(make("a")).toMatchObject({ href: "/assets/a.css?v=e40c292c70772d5a", etag: '"e40c292c70772d5a"' })
  expect(make("").href).toBe("/assets/a.css?v=811c9dc5050c5d1f")
})

it.prop("changes its URL with its content, and only then", [FastCheck.string(), FastCheck.string()], ([a, b]) => {
  expect(make(a).href === make(b).href).toBe(a === b)
  expect(make(a).href).toMatch(/^\/assets\/a\.css\?v=[0-9a-f]{16}$/)
})
