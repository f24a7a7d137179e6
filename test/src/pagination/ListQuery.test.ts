import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import { sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Links from "../../../src/pagination/Links.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as OrderIndex from "../../../src/pagination/internal/query/OrderIndex.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { shapeOf } from "../../../src/pagination/internal/query/SelectionState.ts"

const Article = Entity.make("articles", {
  key: "id",
  columns: {
    id: Column.integer,
    title: Column.text,
    status: Column.literal("draft", "published"),
    stars: Column.nullable(Column.integer),
    price: Column.decimal(2),
    published_at: Column.timestamp,
    author_id: Column.integer
  }
})
const Tag = Entity.make("tags", {
  key: "id",
  columns: { id: Column.integer, article_id: Column.integer, name: Column.text }
})
const tags = Relation.many(Tag, "article_id")
const Author = Entity.make("authors", {
  key: "id",
  columns: { id: Column.integer, name: Column.text, born: Column.nullable(Column.date) }
})
const author = Relation.one(Author, "author_id")

const parameters = ListQuery.make(Article, {
  sort: ["-published_at", "title", ["-stars", "title"]],
  filters: {
    author: { column: "author_id" },
    since: { column: "published_at", operator: "greaterOrEqual" },
    status: { column: "status", operator: "in" },
    stars: { column: "stars", operator: "between" },
    rated: { column: "stars", operator: "isNull" },
    price: { column: "price", operator: "lessOrEqual" },
    title: { column: "title", operator: "startsWith" }
  },
  conditions: {
    tag: {
      schema: Schema.NonEmptyString.annotations({ description: "the name of a tag" }),
      where: (name, list) => list.exists(tags, (tag) => tag.filter("name", "equal", name))
    }
  },
  search: { columns: ["title"] }
})

const read = (query: string) => parameters.decode(Links.parse(`/articles?${query}`))
const sql = (query: string) => {
  const { selection } = Either.getOrThrow(read(query))
  const { text } = Query.select(sqlite, selection)
  return [text.slice(text.indexOf(' FROM "articles"') + 16), Query.values(sqlite, selection)]
}

describe("the parameters of a list", () => {
  it("are absent: the first sort, which ends in the key", () => {
    expect(sql("")).toEqual([' ORDER BY "articles"."published_at" DESC, "articles"."id" DESC', []])
    expect(Either.getOrThrow(read("author=&q=&sort=&colour=red"))).toMatchObject({ sort: "-published_at", values: {} })
  })

  it("choose a sort, of several columns and in either direction", () => {
    expect(parameters.sorts).toEqual([
      "-published_at",
      "published_at",
      "title",
      "-title",
      "-stars,title",
      "stars,-title"
    ])
    expect(sql("sort=stars,-title")[0]).toBe(
      ' ORDER BY "articles"."stars" ASC NULLS FIRST, "articles"."title" DESC, "articles"."id" DESC'
    )
    expect(sql("sort=-stars%2Ctitle")[0]).toBe(
      ' ORDER BY "articles"."stars" DESC NULLS LAST, "articles"."title" ASC, "articles"."id" ASC'
    )
  })

  it("filter by what a column holds", () => {
    expect(sql("author=7&since=2024-02-29T13:00:00.5%2B01:00")).toEqual([
      ' WHERE "articles"."author_id" = ? AND "articles"."published_at" >= ? ORDER BY "articles"."published_at" DESC, "articles"."id" DESC',
      [7, "2024-02-29T12:00:00.500000Z"]
    ])
    expect(sql("since=2024-02-29")[1]).toEqual(["2024-02-29T00:00:00.000000Z"])
    expect(sql("status=draft,published&stars=3,5&rated=false&price=9.5&title=50%25")[1]).toEqual([
      "draft",
      "published",
      3,
      5,
      950n,
      "50\\%%"
    ])
  })

  it("search, and filter by a relation", () => {
    const [text, values] = sql("q=a_b&tag=tea")
    expect(text).toContain(`EXISTS (SELECT 1 FROM "tags"`)
    expect(text).toContain(`"articles"."title" LIKE ? ESCAPE '\\'`)
    expect(values).toEqual(["tea", "%a\\_b%"])
    expect(Either.getOrThrow(read("q=+tea+&author=7")).values).toEqual({ q: "tea", author: "7" })
  })

  it("sort by a column of a to-one relation", () => {
    const byAuthor = ListQuery.make(Article, {
      sort: ["title", ["-author", "title"], "age"],
      related: { author: { relation: author, column: "name" }, age: { relation: author, column: "born" } }
    })
    expect(byAuthor.sorts).toEqual(["title", "-title", "-author,title", "author,-title", "age", "-age"])
    const order = (sort: string) => {
      const { text } = Query.select(sqlite, Either.getOrThrow(byAuthor.decodeValues({ sort })).selection)
      return text.slice(text.indexOf(" ORDER BY ") + 10)
    }
    const of = (column: string) =>
      `(SELECT "one"."${column}" FROM "authors" AS "one" WHERE "one"."id" = "articles"."author_id")`
    expect(order("author,-title")).toBe(`${of("name")} ASC NULLS FIRST, "articles"."title" DESC, "articles"."id" DESC`)
    expect(order("-age")).toBe(`${of("born")} DESC NULLS LAST, "articles"."id" DESC`)
    expect(byAuthor.lists().map((list) => OrderIndex.unservable(list)?.slice(0, 61))).toEqual([
      undefined,
      '-- No index holds "articles" in the order of "authors"."name"',
      '-- No index holds "articles" in the order of "authors"."born"'
    ])
    const shapes = byAuthor.sorts.map((sort) => shapeOf(Either.getOrThrow(byAuthor.decodeValues({ sort })).selection))
    expect(new Set(shapes).size).toBe(shapes.length)
    expect(() =>
      ListQuery.make(Article, { sort: ["title"], related: { title: { relation: author, column: "name" } } })
    ).toThrow('"title" is already a column of articles')
    // @ts-expect-error -- a sort that is declared nowhere
    expect(() => ListQuery.make(Article, { sort: ["writer"] })).toThrow(/not a column/)
    // @ts-expect-error -- no column of the relation
    expect(() => ListQuery.make(Article, { related: { a: { relation: author, column: "x" } } })).toThrow()
    // @ts-expect-error -- many rows have no order among those of the list
    ListQuery.make(Article, { related: { tag: { relation: tags, column: "name" } } })
  })

  it("keep the filters of a selection, and replace its order", () => {
    const base = Selection.from(Article).filter("status", "equal", "published").order("Asc", "id")
    const { selection } = Either.getOrThrow(parameters.decode({ otherParams: "author=7&sort=title" }, base))
    expect(Query.values(sqlite, selection)).toEqual(["published", 7])
    expect(Query.select(sqlite, selection).text).toContain('ORDER BY "articles"."title" ASC, "articles"."id" ASC')
  })

  it.each([
    ["sort=stars", "sort", 'The parameter "sort" must be one of -published_at, published_at, title, -title, '],
    ["sort=title,title", "sort", 'The parameter "sort" must be one of'],
    ["sort=__proto__", "sort", 'The parameter "sort" must be one of'],
    ["author=x", "value", 'The parameter "author" must be a whole number.'],
    ["author=1e3", "value", 'The parameter "author" must be a whole number.'],
    ["author=99999999999999999", "value", 'The parameter "author" must be a whole number.'],
    ["author=7&author=7", "repeated", 'The parameter "author" must be sent once.'],
    ["q=a&%71=b", "repeated", 'The parameter "q" must be sent once.'],
    [`q=${"a".repeat(101)}`, "long", 'The parameter "q" must be at most 100 characters long.'],
    [`title=${"a".repeat(201)}`, "long", 'The parameter "title" must be at most 200 characters long.'],
    ["q=%00", "value", 'The parameter "q" must be a text without control characters.'],
    ["tag=%07", "value", 'The parameter "tag" must be a text without control characters.'],
    ["since=2024-02-30", "value", 'The parameter "since" must be a date or a time such as 2024-02-29T12:00:00Z.'],
    ["rated=maybe", "value", 'The parameter "rated" must be true or false.'],
    ["stars=3", "value", 'The parameter "stars" must be two values with a comma between them, each a whole number.'],
    ["stars=1,2,3", "value", 'The parameter "stars" must be two values'],
    ["status=lost", "value", "each one of draft, published."],
    [`status=${"draft,".repeat(100)}draft`, "value", 'The parameter "status" must be at most 100 values'],
    ["price=1,5", "value", 'The parameter "price" must be a decimal number.']
  ])("refuse %s with a 400 that names the parameter", (query, problem, message) => {
    const refused = Either.flip(read(query))
    expect(Either.getOrThrow(refused).problem).toBe(problem)
    expect(Either.getOrThrow(refused).message).toContain(message)
  })

  it("take each value of a list with up to 200 characters, and no longer one", () => {
    const { decodeValues } = ListQuery.make(Article, {
      filters: { any: { column: "title", operator: "in" }, range: { column: "title", operator: "between" } }
    })
    const read = (given: Readonly<Record<string, string>>) =>
      Either.map(decodeValues(given), ({ selection }) => Query.values(sqlite, selection))
    const [low, high] = ["a".repeat(200), "b".repeat(200)]
    const all = Array.from({ length: 100 }, () => low)
    expect(read({ range: `${low}, ${high}` })).toEqual(Either.right([low, high]))
    expect(read({ any: all.join() })).toEqual(Either.right(all))
    expect(Either.isLeft(read({ any: `x,${low}a` }))).toBe(true)
  })

  it("are declared once, and not under a name that every list has", () => {
    const column = { column: "author_id" } as const
    expect(() => ListQuery.make(Article, { filters: { cursor: column } })).toThrow(/one parameter "cursor"/)
    expect(() => ListQuery.make(Article, { filters: { q: column }, search: { columns: ["title"] } })).toThrow(/"q"/)
    expect(() => ListQuery.make(Article, { sort: [["title", "-title"]] })).toThrow(/each of them once/)
    // @ts-expect-error -- no such column
    expect(() => ListQuery.make(Article, { sort: ["-colour"] })).toThrow(/not a column/)
    expect(() =>
      // @ts-expect-error -- a part of a number
      ListQuery.make(Article, { filters: { author: { column: "author_id", operator: "contains" } } })
    ).toThrow(/not a text/)
  })

  it("name the index of each sort", () => {
    const base = Selection.from(Article).filter("status", "equal", "draft")
    const statements = parameters
      .lists(base)
      .map((list) => OrderIndex.statement(sqlite, OrderIndex.needed(sqlite, list)))
    expect(statements.map((text) => text.slice(text.indexOf("(")))).toEqual([
      '("status", "published_at" DESC, "id" DESC)',
      '("status", "title", "id")',
      '("status", "stars" DESC, "title", "id")'
    ])
  })

  it("are objects of OpenAPI, by themselves and in an HttpApi", () => {
    const byName = Object.fromEntries(parameters.openApi.map((one) => [one.name, one]))
    expect(byName["sort"]?.schema).toEqual({ type: "string", enum: parameters.sorts, default: "-published_at" })
    expect(byName["author"]).toEqual({
      name: "author",
      in: "query",
      required: false,
      description: "Rows whose author_id is this one.",
      schema: { type: "integer" }
    })
    expect(byName["status"]).toMatchObject({
      style: "form",
      explode: false,
      schema: { type: "array", items: { type: "string", enum: ["draft", "published"] }, maxItems: 100 }
    })
    expect(byName["tag"]).toMatchObject({ description: "the name of a tag", schema: { type: "string", minLength: 1 } })
    expect(byName["q"]?.schema).toEqual({ type: "string", maxLength: 100 })

    const list = HttpApiEndpoint.get("list", "/articles").addSuccess(Schema.String).setUrlParams(parameters.schema)
    const api = OpenApi.fromApi(HttpApi.make("api").add(HttpApiGroup.make("articles").add(list)))
    const shown = api.paths["/articles"]?.get?.parameters ?? []
    expect(shown.map(({ name, required }) => [name, required])).toEqual(
      parameters.openApi.map(({ name }) => [name, false])
    )
    expect(shown.find(({ name }) => name === "sort")?.schema).toMatchObject({ enum: parameters.sorts })
    expect(Either.getOrThrow(parameters.decodeValues({ author: "7", sort: undefined })).values).toEqual({ author: "7" })
  })
})
