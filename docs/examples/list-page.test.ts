import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect } from "effect"
import { Html } from "effect-framework/http"
import { Column, Entity, Links, ListQuery, type Repository } from "effect-framework/pagination"
import { SqlRepository } from "effect-framework/layers/pagination"
import { Page } from "effect-framework/routes/session"
import { ListRoute } from "effect-framework/routes/pagination"
import { TestApp } from "effect-framework/testing"

const { html } = Html

const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })
class Cups extends Context.Tag("shop/Cups")<Cups, Repository.For<typeof Cup>>() {}

const parameters = ListQuery.make(Cup, { sort: ["name"], search: { columns: ["name"] } })

const page = Effect.gen(function* () {
  const cups = yield* Cups
  const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
  const options = { limit: 2, bidirectional: true, parameters }
  const { items, pagination, request } = yield* ListRoute.paginate(Links.parse(originalUrl), cups, cups.select, options)
  const { next, prev } = Links.adjacent(request, pagination)
  return yield* Page.render({
    title: "Cups",
    main: html`<h1>Cups</h1>
      <ul class="list">
        ${items.map(({ name }) => html`<li>${name}</li>`)}
      </ul>
      <nav class="row spread" aria-label="Pages">
        <span>${prev !== undefined && html`<a rel="prev" href="${prev}">Before</a>`}</span>
        <span>${next !== undefined && html`<a rel="next" href="${next}">After</a>`}</span>
      </nav>`
  })
})

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
  yield* sql`INSERT INTO cups (name) VALUES ('red'), ('blue'), ('green')`
})
const options = { migrations: { "0001_cups": table }, services: SqlRepository.layer(Cups, Cup) }

layer(TestApp.layer([HttpLayerRouter.route("GET", "/cups", page)], options))("the page of cups", (it) => {
  it.effect("links to the parts beside it, and keeps the search", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const first = yield* guest.get("/cups?cursor=&q=re")
      expect(first.text).toContain("Cups green red")
      const start = yield* guest.get("/cups?cursor=")
      expect(start.text).toContain("Cups blue green After")
      const [, after = ""] = /rel="next" href="([^"]+)"/.exec(start.body) ?? []
      expect((yield* guest.get(after.replaceAll("&amp;", "&"))).text).toContain("Cups red Before")
      expect((yield* guest.get("/cups?cursor=oops")).status).toBe(400)
    })
  )
})
