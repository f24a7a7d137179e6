import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import type * as ColumnKind from "../../../src/pagination/internal/columns/ColumnKind.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Things from "./Things.ts"

const id = "018f3c2e-7b1a-7c3d-9e4f-0123456789ab"

/** The kind of the column that points, of the key it points at, a value of each that are one, and a value of no row. */
const pairs: ReadonlyArray<
  readonly [Column.Column<ColumnKind.Kind, false>, Column.Column<ColumnKind.Kind, false>, unknown, unknown, unknown]
> = [
  [Column.integer, Column.integer, 7, 7, 8],
  [Column.bigint, Column.integer, 7n, 7, 2n ** 62n],
  [Column.integer, Column.bigint, 7, 7n, 8],
  [Column.bigint, Column.bigint, 2n ** 60n, 2n ** 60n, 2n ** 60n + 1n],
  [Column.text, Column.integer, "7", 7, "none"],
  [Column.text, Column.bigint, String(2n ** 60n), 2n ** 60n, "9".repeat(30)],
  [Column.integer, Column.text, 7, "7", 8],
  [Column.bigint, Column.text, 2n ** 60n, String(2n ** 60n), 8n],
  [Column.text, Column.text, "Ann", "Ann", "ann"],
  [Column.decimal(2), Column.integer, "7.00", 7, "7.50"],
  [Column.integer, Column.decimal(2), 7, "7.00", 8],
  [Column.decimal(3), Column.decimal(2), "7.500", "7.50", "7.510"],
  // As a number the last one is the first.
  [Column.bigint, Column.float, 2n ** 53n, 2 ** 53, 2n ** 53n + 1n],
  [Column.uuid, Column.uuid, id, id, "018f3c2e-7b1a-7c3d-9e4f-000000000000"],
  [Column.text, Column.uuid, id.toUpperCase(), id, "no uuid"],
  [Column.uuid, Column.text, id, id, "018f3c2e-7b1a-7c3d-9e4f-000000000000"],
  [
    Column.timestamp,
    Column.text,
    "2024-02-29T12:00:00.000001Z",
    "2024-02-29T12:00:00.000001Z",
    "2025-01-01T00:00:00.000000Z"
  ]
]

describeDatabases("A relation", (database) => {
  layer(database.layerEmpty)((it) => {
    for (const [index, [here, there, value, key, other]] of pairs.entries()) {
      // SQLite compares the letters of a UUID, PostgreSQL its bits.
      if (database.name === "SQLite" && there.kind === "uuid" && here.kind === "text") continue
      it.effect(`finds a ${there.kind} key by a ${here.kind} column, in both directions`, () =>
        Effect.gen(function* () {
          const Owner = Entity.make(`owners_${index}`, { key: "id", columns: { id: there, name: Column.text } })
          const Pet = Entity.make(`pets_${index}`, { key: "id", columns: { id: Column.integer, owner: here } })
          yield* Things.create(Owner)
          yield* Things.create(Pet)
          yield* Things.insert(Owner, [{ id: key, name: "Ann" }])
          yield* Things.insert(Pet, [
            { id: 1, owner: value },
            { id: 2, owner: value },
            { id: 3, owner: other }
          ])
          const pets = yield* SqlRepository.make(Pet, { person: Relation.one(Owner, "owner") })
          const found = (yield* pets.paginate()).items.map(({ person }) => person?.name ?? null)
          expect(found).toEqual(["Ann", "Ann", null])
          // A text in capitals names this UUID; the text of the UUID does not name those capitals.
          if (there.kind === "uuid" && here.kind === "text") return
          // A float of this size may stand for several integers.
          if (there.kind === "float") return
          const owners = yield* SqlRepository.make(Owner, { pets: Relation.many(Pet, "owner") })
          const [owner] = (yield* owners.paginate()).items
          expect(owner?.pets.map((pet) => pet.id)).toEqual([1, 2])
        })
      )
    }

    it.effect("finds a key that the column's collation calls equal", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const type = database.name === "SQLite" ? "TEXT COLLATE NOCASE" : "CHAR(10)"
        yield* sql.unsafe(`CREATE TABLE people (id ${type} NOT NULL PRIMARY KEY, age INTEGER NOT NULL)`)
        yield* sql.unsafe("CREATE TABLE posts (id INTEGER PRIMARY KEY, author TEXT NOT NULL)")
        yield* sql`INSERT INTO people VALUES ('ann', 40)`
        yield* sql`INSERT INTO posts VALUES (1, ${database.name === "SQLite" ? "Ann" : "ann   "})`
        const Person = Entity.make("people", { key: "id", columns: { id: Column.text, age: Column.integer } })
        const Post = Entity.make("posts", { key: "id", columns: { id: Column.integer, author: Column.text } })
        const posts = yield* SqlRepository.make(Post, { by: Relation.one(Person, "author") })
        expect((yield* posts.paginate()).items[0]?.by?.age).toBe(40)
      })
    )
  })
})
