import { expect, it } from "@effect/vitest"
import type { ApiDocument, JsonSchema, Operation } from "../../../src/server/internal/ApiDocument.ts"
import * as ApiPage from "../../../src/server/internal/ApiPage.ts"

const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`

const links = { document: evil, style: evil, script: evil }

const schema: JsonSchema = {
  type: "object",
  description: evil,
  properties: { [evil]: { enum: [evil], description: evil } }
}

const operation: Operation = {
  operationId: evil,
  summary: evil,
  description: evil,
  deprecated: true,
  tags: [evil],
  security: [{ [evil]: [] }],
  parameters: [{ name: evil, in: "query", required: true, description: evil, schema, example: evil }],
  requestBody: { content: { [evil]: { schema, example: { [evil]: evil } } } },
  responses: {
    [evil]: { description: evil, headers: { [evil]: { schema } }, content: { [evil]: { schema } } },
    "404": { $ref: `#/components/responses/${encodeURIComponent(evil)}` }
  }
}

const document: ApiDocument = {
  openapi: "3.1.0",
  info: { title: evil, version: evil, description: evil },
  tags: [{ name: evil, description: evil }],
  paths: { [evil]: { [evil]: operation } },
  components: {
    schemas: { [evil]: schema },
    responses: { [evil]: { description: evil } },
    headers: {},
    securitySchemes: { [evil]: { type: evil, description: evil } }
  }
}

it("Whatever a document says is text on the page", () => {
  const { markup } = ApiPage.render(document, links)
  expect(markup).not.toContain("<img")
  expect(markup).not.toContain("<script>")
  expect(markup.match(/<script/g)).toHaveLength(1)
  expect(markup).not.toContain(evil)
  expect(markup).toContain("&lt;script&gt;")
})

it("A document without operations has a page", () => {
  const empty = {
    ...document,
    tags: [],
    paths: {},
    components: { ...document.components, schemas: {}, securitySchemes: {} }
  }
  expect(ApiPage.render(empty, links).markup).toContain("No operation needs any.")
})
