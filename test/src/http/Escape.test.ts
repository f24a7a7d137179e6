import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { escape } from "../../../src/http/internal/text/Escape.ts"

const characters: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'"
}

const unescape = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity] ?? entity)

const markup = FastCheck.string({ unit: FastCheck.constantFrom("&", "<", ">", '"', "'", "amp;", "#39;", "a", " ") })

it.prop("leaves no character that ends a text or a quoted attribute, and loses none", [markup], ([text]) => {
  const escaped = escape(text)
  expect(escaped).not.toMatch(/[<>"']/)
  expect(unescape(escaped)).toBe(text)
})
