// The handlers of the articles' API.
import { Effect } from "effect"
import * as ApiHandlers from "../../routes/server/ApiHandlers.ts"
import { CurrentIdentity } from "../../src/session/Identity.ts"
import { DemoApi } from "../Api.ts"
import { ArticleNotFound, list } from "./Api.ts"
import { Articles } from "./Articles.ts"
import { Store } from "./Store.ts"

export const layer = ApiHandlers.group(DemoApi, "articles", (handlers) =>
  Effect.gen(function* () {
    const articles = yield* Articles
    const store = yield* Store

    const read = (id: number) =>
      Effect.flatMap(
        Effect.orDie(articles.paginate(articles.select.filter("id", "equal", id))),
        ({ items: [article] }) => (article === undefined ? new ArticleNotFound({ id }) : Effect.succeed(article))
      )

    return handlers
      .handle("list", ({ request }) => list.respond(articles, request))
      .handle("read", ({ path: { id } }) => read(id))
      .handle("create", ({ payload }) =>
        Effect.gen(function* () {
          const user = yield* CurrentIdentity
          return yield* Effect.orDie(read(yield* store.create(user.id, payload)))
        })
      )
      .handle("change", ({ path: { id }, payload }) =>
        Effect.gen(function* () {
          const user = yield* CurrentIdentity
          yield* store.change(user.id, id, payload)
          return yield* read(id)
        })
      )
      .handle("remove", ({ path: { id } }) => Effect.flatMap(CurrentIdentity, (user) => store.remove(user.id, id)))
  })
)
