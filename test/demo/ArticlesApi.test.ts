// The demo's articles through its API, over real sockets.
import { FetchHttpClient, HttpApiClient } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Chunk, Effect, Layer, Redacted, Stream } from "effect"
import { DemoApi } from "../../demo/Api.ts"
import * as Listing from "../../demo/articles/Listing.ts"
import * as Handlers from "../../demo/articles/Handlers.ts"
import * as Migration from "../../demo/articles/Migration.ts"
import * as Prose from "../../demo/articles/Prose.ts"
import { Scopes } from "../../demo/articles/Scopes.ts"
import * as Seed from "../../demo/articles/Seed.ts"
import { Store } from "../../demo/articles/Store.ts"
import * as AccountsApi from "../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../routes/auth/AuthRoutes.ts"
import * as ScopeAuthentication from "../../routes/auth/ScopeAuthentication.ts"
import * as ApiHandlers from "../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import { ApiTokens } from "../../src/auth/ApiTokens.ts"
import * as ListClient from "../../src/pagination/ListClient.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import * as TestApp from "../../testing/TestApp.ts"
import { describeDatabases } from "../support/Databases.ts"

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(DemoApi)])

const services = ApiHandlers.layer(DemoApi).pipe(
  Layer.provide(Layer.merge(AccountsApi.layer(DemoApi), Handlers.layer)),
  Layer.provide(Layer.mergeAll(Listing.layer, Store.Default, ApiAuthentication.layer)),
  Layer.provide(ScopeAuthentication.layer(Scopes)),
  Layer.provide(Seed.layer),
  Layer.merge(Scopes.layer)
)

const client = Effect.flatMap(ServerAddress, ({ url }) => HttpApiClient.make(DemoApi, { baseUrl: url })).pipe(
  Effect.provide(FetchHttpClient.layer)
)

const draft = { title: "A cup of tea", summary: "What it takes, and how long." }

describeDatabases("The articles of the API", (database) => {
  const { migrations } = Migration
  const server = TestApp.layerOf(app, { environment: "production", database: database.layer, migrations, services })

  layer(server)((it) => {
    const published = Effect.gen(function* () {
      const ann = yield* TestApp.signedInUser()
      const { json } = yield* ann.json("POST", "/api/articles", draft)
      return { ann, article: json as { readonly id: number; readonly author: { readonly id: number } } }
    })

    it.effect("are walked by a guest from the newest to the oldest", () =>
      Effect.gen(function* () {
        const api = yield* client
        const walk = ListClient.stream((urlParams) => api.articles.list({ urlParams }), { limit: 100 })
        const ids = Chunk.toReadonlyArray(Chunk.map(yield* Stream.runCollect(walk), ({ id }) => id))
        expect(ids.filter((id) => id <= 1000)).toEqual(Array.from({ length: 1000 }, (_, index) => 1000 - index))
        expect(yield* api.articles.read({ path: { id: 7 } })).toMatchObject(Prose.article(6))
        const missing = yield* Effect.flip(api.articles.read({ path: { id: 999_999 } }))
        expect(missing).toMatchObject({ _tag: "ArticleNotFound", id: 999_999 })
      })
    )

    it.effect("are published, changed and deleted by the account that is signed in", () =>
      Effect.gen(function* () {
        const { ann, article } = yield* published
        expect(article).toMatchObject({ ...draft, author: { name: expect.stringMatching(/^Member \w{6}$/) } })
        expect(JSON.stringify(article)).not.toContain(ann.user.email)
        const changed = yield* ann.json("PUT", `/api/articles/${article.id}`, { title: " Two cups ", summary: "More." })
        expect([changed.status, changed.json]).toEqual([200, { ...article, title: "Two cups", summary: "More." }])
        const second = yield* ann.json("POST", "/api/articles", draft)
        expect([second.status, second.json]).toEqual([201, expect.objectContaining({ author: article.author })])
        const mine = yield* ann.json("GET", `/api/articles?author=${article.author.id}&sort=published_at`)
        expect(mine.json).toMatchObject({ items: [changed.json, second.json], total: 2 })
        expect((yield* ann.json("DELETE", `/api/articles/${article.id}`)).status).toBe(204)
        expect((yield* ann.json("GET", `/api/articles/${article.id}`)).status).toBe(404)
        expect((yield* ann.json("DELETE", `/api/articles/${article.id}`)).status).toBe(404)
      })
    )

    it.effect("are written by a program with a token of the account, until it is revoked", () =>
      Effect.gen(function* () {
        const { ann, article } = yield* published
        const wanted = { name: "Editor", scopes: ["articles:write"], current: Redacted.make(ann.user.password) }
        const { accounts } = yield* TestApp.apiClient(DemoApi, ann)
        const { handle, secret } = yield* accounts.createToken({ payload: wanted })
        const editor = yield* TestApp.guest
        editor.headers.set("authorization", `Bearer ${Redacted.value(secret)}`)
        const { articles, ...own } = yield* TestApp.apiClient(DemoApi, editor)
        const made = yield* articles.create({ payload: draft })
        expect(made.author?.id).toBe(article.author.id)
        const change = { title: "Two cups", summary: "More." }
        expect(yield* articles.change({ path: { id: article.id }, payload: change })).toMatchObject(change)
        yield* articles.remove({ path: { id: made.id } })
        expect(yield* Effect.flip(articles.remove({ path: { id: 1 } }))).toMatchObject({ _tag: "NotTheAuthor" })
        expect(yield* Effect.flip(own.accounts.me())).toMatchObject({ _tag: "Unauthenticated" })
        yield* accounts.revokeToken({ path: { handle } })
        expect(yield* Effect.flip(articles.create({ payload: draft }))).toMatchObject({ _tag: "Unauthenticated" })
        const tokens = yield* ApiTokens
        const none = yield* tokens.create(ann.user.id, { name: "Reader", scopes: [] })
        editor.headers.set("authorization", `Bearer ${Redacted.value(none.secret)}`)
        const refused = yield* Effect.flip(articles.create({ payload: draft }))
        expect(refused).toMatchObject({ _tag: "InsufficientScope", scope: "articles:write" })
      })
    )

    it.effect("are what the page of tokens offers", () =>
      Effect.gen(function* () {
        const ann = yield* TestApp.signedInUser()
        expect((yield* ann.get("/account/tokens")).text).toContain("Publish, change and delete your articles")
      })
    )

    it.effect("are changed by nobody else", () =>
      Effect.gen(function* () {
        const { article } = yield* published
        const bob = yield* TestApp.signedInUser()
        for (const id of [article.id, 1]) {
          const change = yield* bob.json("PUT", `/api/articles/${id}`, draft)
          expect([change.status, change.json]).toEqual([403, expect.objectContaining({ _tag: "NotTheAuthor", id })])
          expect((yield* bob.json("DELETE", `/api/articles/${id}`)).status).toBe(403)
        }
        expect((yield* bob.json("PUT", "/api/articles/999999", draft)).status).toBe(404)
        const guest = yield* TestApp.guest
        for (const [method, path] of [
          ["POST", "/api/articles"],
          ["PUT", `/api/articles/${article.id}`],
          ["DELETE", `/api/articles/${article.id}`]
        ] as const) {
          expect((yield* guest.request(path, { method, json: draft })).status).toBe(401)
          // A cookie without the token of its session: a form on another site.
          expect((yield* bob.request(path, { method, json: draft })).status).toBe(403)
        }
        expect((yield* guest.request(`/api/articles/${article.id}`)).json).toEqual(article)
      })
    )

    it.effect("are refused when they are not what an article is", () =>
      Effect.gen(function* () {
        const { ann, article } = yield* published
        for (const given of [
          {},
          { title: "", summary: "x" },
          { title: "   ", summary: "x" },
          { title: "x".repeat(201), summary: "x" },
          { title: "x", summary: "x".repeat(1001) },
          { title: "a\0b", summary: "x" },
          { title: "a\nb", summary: "x" },
          { title: "\ud800", summary: "x" },
          { title: 7, summary: "x" },
          { title: ["x"], summary: "x" },
          "x",
          null
        ]) {
          expect([given, (yield* ann.json("POST", "/api/articles", given)).status]).toEqual([given, 422])
          expect((yield* ann.json("PUT", `/api/articles/${article.id}`, given)).status).toBe(422)
        }
        for (const id of ["0", "-1", "1.5", "x", "99999999999999999999", "2147483648", "%00"]) {
          expect((yield* ann.json("GET", `/api/articles/${id}`)).status).toBe(400)
          expect((yield* ann.json("DELETE", `/api/articles/${id}`)).status).toBe(400)
        }
        const odd = { title: `"'; DROP TABLE articles; -- 😀`, summary: "<b>&amp;" }
        expect((yield* ann.json("POST", "/api/articles", odd)).json).toMatchObject(odd)
      })
    )

    it.effect("of two first ones at once have one author", () =>
      Effect.gen(function* () {
        const ann = yield* TestApp.signedInUser()
        const both = yield* Effect.all(
          [1, 2, 3].map(() => ann.json("POST", "/api/articles", draft)),
          { concurrency: 3 }
        )
        expect(both.map(({ status }) => status)).toEqual([201, 201, 201])
        const sql = yield* SqlClient.SqlClient
        const authors = yield* sql`SELECT id FROM authors WHERE account_id = ${ann.user.id}`
        expect(authors).toHaveLength(1)
      })
    )
  })
})
