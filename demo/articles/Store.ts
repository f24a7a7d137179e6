// What accounts write: an article belongs to the author of its account, and only that account changes it.
import { SqlClient } from "@effect/sql"
import { Clock, Effect } from "effect"
import type { AccountId } from "../../src/session/Identity.ts"
import { ArticleNotFound, type Draft, NotTheAuthor } from "./Api.ts"

type Text = typeof Draft.Type

interface Key {
  readonly id: number
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The name shows nothing of the account's address. Of two first articles at once, both get the same author.
  const authorOf = (user: AccountId) =>
    sql<Key>`INSERT INTO authors (name, account_id) VALUES (${`Member ${user.slice(-6)}`}, ${user})
      ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id RETURNING id`

  const create = Effect.fn("Articles.create")(
    function* (user: AccountId, { summary, title }: Text) {
      const now = new Date(yield* Clock.currentTimeMillis).toISOString().replace("Z", "000Z")
      const [author] = yield* authorOf(user)
      const [article] = yield* sql<Key>`INSERT INTO articles (title, summary, published_at, author_id)
      VALUES (${title}, ${summary}, ${now}, ${author?.id ?? 0}) RETURNING id`
      return article?.id ?? 0
    },
    sql.withTransaction,
    Effect.orDie
  )

  const isMine = (user: AccountId) => sql`author_id IN (SELECT id FROM authors WHERE account_id = ${user})`

  // One statement changes or refuses; which refusal it is may be asked afterwards.
  const refused = Effect.fnUntraced(function* (id: number) {
    const found = yield* Effect.orDie(sql`SELECT 1 FROM articles WHERE id = ${id}`)
    return yield* found.length === 0 ? new ArticleNotFound({ id }) : new NotTheAuthor({ id })
  })

  const change = Effect.fn("Articles.change")(function* (user: AccountId, id: number, { summary, title }: Text) {
    const changed = yield* Effect.orDie(sql`UPDATE articles SET title = ${title}, summary = ${summary}
      WHERE id = ${id} AND ${isMine(user)} RETURNING id`)
    if (changed.length === 0) yield* refused(id)
  })

  const remove = Effect.fn("Articles.remove")(function* (user: AccountId, id: number) {
    const gone = yield* Effect.orDie(sql`DELETE FROM articles WHERE id = ${id} AND ${isMine(user)} RETURNING id`)
    if (gone.length === 0) yield* refused(id)
  })

  return { create, change, remove }
})

/** Writes, changes and deletes articles. */
export class Store extends Effect.Service<Store>()("effect-framework/demo/ArticleStore", { effect: make }) {}
