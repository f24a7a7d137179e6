import { HttpApi, HttpApiGroup, OpenApi } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import * as ListDocument from "../../../routes/pagination/internal/ListDocument.ts"
import * as ListEndpoint from "../../../routes/pagination/ListEndpoint.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })
const parameters = ListQuery.make(Cup, { sort: ["name"], filters: { name: { column: "name" } } })

const document = (options: { readonly bidirectional?: boolean; readonly counting?: "none" } = {}) => {
  const { endpoint } = ListEndpoint.make("list", "/cups", { item: Cup.schema, parameters, ...options })
  const spec = OpenApi.fromApi(HttpApi.make("cups").add(HttpApiGroup.make("cups").add(endpoint)))
  const operation = spec.paths["/cups"]?.get
  if (operation === undefined) throw new Error("no operation")
  return operation
}

describe("The document of a list", () => {
  it("names its parameters, with the type that each has in the URL", () => {
    const typeOf = ({ name, required, schema }: ReturnType<typeof document>["parameters"][number]) => [
      name,
      required,
      "type" in schema ? schema.type : schema
    ]
    expect(document().parameters.map(typeOf)).toEqual([
      ["page", false, "integer"],
      ["limit", false, "integer"],
      ["cursor", false, "string"],
      ["sort", false, "string"],
      ["name", false, "string"]
    ])
    expect(document({ bidirectional: true }).parameters.map(({ name }) => name)).toContain("before")
    expect(document().parameters.every(({ description }) => description !== undefined)).toBe(true)
  })

  it("has the headers and both shapes of the body", () => {
    const { responses } = document()
    expect(responses["200"]).toMatchObject({
      headers: { Link: { schema: { type: "string" } }, "X-Total-Count": { schema: { type: "integer" } } }
    })
    const text = JSON.stringify(responses["200"])
    expect(text).toContain('"total"')
    expect(text).toContain('"next"')
    expect(text).not.toContain('"previous"')
    expect(JSON.stringify(document({ bidirectional: true }).responses["200"])).toContain('"previous"')
    const uncounted = JSON.stringify(document({ counting: "none" }).responses["200"])
    expect(uncounted).toContain('"more"')
    expect(uncounted).not.toContain('"total"')
  })

  it("has every failure under 400", () => {
    const text = JSON.stringify(document().responses["400"])
    for (const name of ["InvalidCursor", "InvalidParameter", "InvalidPagination"]) expect(text).toContain(name)
  })

  it("leaves an operation without a success as it is", () => {
    expect(ListDocument.withHeaders({ responses: {} })).toEqual({ responses: {} })
  })

  it("reads a number of rows, and writes it as it is in a URL", () => {
    const schema = ListDocument.query([], false)
    expect(Schema.decodeUnknownSync(schema)({ page: "3", limit: "many" })).toEqual({ page: 3, limit: 0 })
    expect(Schema.encodeUnknownSync(schema)({ page: 3, cursor: "WzFd" })).toEqual({ page: "3", cursor: "WzFd" })
  })
})
