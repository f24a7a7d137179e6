import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Cause, Context, Effect, Either, Exit, Layer } from "effect"
import * as EntityCheck from "../../../layers/pagination/EntityCheck.ts"
import * as EntityTables from "../../../layers/pagination/internal/EntityTables.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import { EntityMismatch } from "../../../src/pagination/Entity.ts"
import * as Column from "../../../src/pagination/Column.ts"
import type * as ColumnKind from "../../../src/pagination/internal/columns/ColumnKind.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type * as Repository from "../../../src/pagination/Repository.ts"
import * as StartupLine from "../../../src/config/internal/StartupLine.ts"
import { describeDatabases, type Engine } from "../../support/Databases.ts"

/** A table with a key and one column of this type. */
const definition = (type: string) => `id INTEGER PRIMARY KEY, value ${type} NOT NULL`

const declared = (table: string, value: Column.Column) =>
  Entity.make(table, { key: "id", columns: { id: Column.integer, value } })

const wrong: Readonly<Record<Engine, ReadonlyArray<readonly [Column.Column<ColumnKind.Kind, false>, string, string]>>> =
  {
    PostgreSQL: [
      [Column.timestamp, "TIMESTAMP", "timestamp without time zone"],
      [Column.timestamp, "DATE", "date"],
      [Column.float, "NUMERIC(10, 2)", "numeric(10,2)"],
      [Column.integer, "TEXT", "text"],
      [Column.integer, "DOUBLE PRECISION", "double precision"],
      [Column.boolean, "INTEGER", "integer"],
      [Column.text, "INTEGER", "integer"],
      [Column.text, "JSONB", "jsonb"],
      [Column.text, "bearable", "bearable"],
      [Column.uuid, "BYTEA", "bytea"],
      [Column.bigint, "NUMERIC", "numeric"]
    ],
    SQLite: [
      [Column.text, "REAL", "REAL"],
      [Column.text, "INTEGER", "INTEGER"],
      [Column.text, "NUMERIC", "NUMERIC"],
      [Column.integer, "TEXT", "TEXT"],
      [Column.integer, "REAL", "REAL"],
      [Column.float, "TEXT", "TEXT"],
      [Column.float, "INTEGER", "INTEGER"],
      [Column.timestamp, "REAL", "REAL"],
      [Column.boolean, "VARCHAR(5)", "VARCHAR(5)"],
      [Column.uuid, "BLOB", "BLOB"],
      [
        Column.timestamp,
        "DATETIME DEFAULT CURRENT_TIMESTAMP",
        "DATETIME DEFAULT CURRENT_TIMESTAMP, which stores 2024-02-29 12:00:00: use (strftime('%Y-%m-%dT%H:%M:%f000Z', 'now'))"
      ],
      [Column.text, "", "no type"]
    ]
  }

const right: Readonly<Record<Engine, ReadonlyArray<readonly [Column.Column<ColumnKind.Kind, false>, string]>>> = {
  PostgreSQL: [
    [Column.text, "VARCHAR(20)"],
    [Column.text, "CHAR(3)"],
    [Column.text, "NUMERIC"],
    [Column.text, "DATE"],
    [Column.text, "TIMESTAMP"],
    [Column.text, "INET"],
    [Column.text, "mood"],
    [Column.text, "short_text"],
    [Column.uuid, "UUID"],
    [Column.uuid, "TEXT"],
    [Column.timestamp, "TIMESTAMPTZ"],
    [Column.integer, "SMALLINT"],
    [Column.integer, "positive"],
    [Column.bigint, "BIGINT"],
    [Column.float, "REAL"],
    [Column.boolean, "BOOLEAN"]
  ],
  SQLite: [
    [Column.text, "TEXT"],
    [Column.text, "VARCHAR(20)"],
    [Column.uuid, "UUID"],
    [Column.timestamp, "DATETIME"],
    [Column.integer, "BIGINT"],
    [Column.bigint, "INTEGER"],
    [Column.boolean, "BOOLEAN"],
    [Column.float, "DOUBLE"],
    [Column.float, "DECIMAL(10, 2)"]
  ]
}

let count = 0
const table = Effect.fnUntraced(function* (columns: string, after: ReadonlyArray<string> = []) {
  const sql = yield* SqlClient.SqlClient
  const name = `table_${++count}`
  yield* sql.unsafe(`CREATE TABLE "${name}" (${columns})`)
  for (const statement of after) yield* sql.unsafe(statement.replaceAll("$", name))
  return name
})

const pages = (options: Parameters<typeof Pagination.make>[0]) => Either.getOrThrow(Pagination.make(options))

describeDatabases("An entity", (database) => {
  const types = Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      if (database.name === "SQLite") return
      yield* sql`CREATE TYPE mood AS ENUM ('sad', 'glad')`
      yield* sql`CREATE DOMAIN short_text AS TEXT CHECK (length(VALUE) < 10)`
      yield* sql`CREATE DOMAIN natural_number AS INTEGER CHECK (VALUE >= 0)`
      yield* sql`CREATE DOMAIN positive AS natural_number CHECK (VALUE > 0)`
      yield* sql`CREATE DOMAIN bearable AS mood`
    })
  )
  layer(types.pipe(Layer.provideMerge(database.layerEmpty)))((it) => {
    for (const [value, type, found] of wrong[database.name]) {
      it.effect(`that declares ${type === "" ? "no type" : type} as ${value.kind} does not come to a repository`, () =>
        Effect.gen(function* () {
          const name = yield* table(definition(type))
          const error = yield* Effect.flip(SqlRepository.make(declared(name, value)))
          expect(error).toBeInstanceOf(EntityMismatch)
          expect(error.message).toBe(
            `The entity does not fit the table ${name}: value is declared as ${value.kind}, found ${found}.`
          )
        })
      )
    }

    for (const [value, type] of right[database.name]) {
      it.effect(`may declare ${type} as ${value.kind}`, () =>
        Effect.gen(function* () {
          const name = yield* table(definition(type))
          yield* EntityTables.check(declared(name, value))
        })
      )
    }

    it.effect("names every column that is missing or may be null without notice", () =>
      Effect.gen(function* () {
        const name = yield* table("id INTEGER PRIMARY KEY, note TEXT")
        const entity = Entity.make(name, {
          key: "id",
          columns: { id: Column.integer, note: Column.text, title: Column.text }
        })
        const type = database.name === "SQLite" ? "TEXT" : "text"
        expect((yield* Effect.flip(EntityTables.check(entity))).problems).toEqual([
          { column: "note", declared: "text, never null", found: `${type}, which may be null` },
          { column: "title", declared: "text", found: "no such column" }
        ])
        yield* EntityTables.check(declared(yield* table(definition("TEXT")), Column.nullable(Column.text)))
      })
    )

    const unique: ReadonlyArray<readonly [string, string, ReadonlyArray<string>, boolean]> = [
      ["a primary key", "id INTEGER PRIMARY KEY", [], true],
      ["a unique constraint", "id INTEGER NOT NULL UNIQUE", [], true],
      ["a unique index", "id INTEGER NOT NULL", ["CREATE UNIQUE INDEX $_id ON $ (id)"], true],
      ["no index", "id INTEGER NOT NULL", [], false],
      ["an index that is not unique", "id INTEGER NOT NULL", ["CREATE INDEX $_id ON $ (id)"], false],
      ["half of a primary key", "id INTEGER NOT NULL, other INTEGER NOT NULL, PRIMARY KEY (id, other)", [], false],
      ["a part of the rows", "id INTEGER NOT NULL", ["CREATE UNIQUE INDEX $_id ON $ (id) WHERE id > 0"], false],
      ["an expression", "id INTEGER NOT NULL", ["CREATE UNIQUE INDEX $_id ON $ (abs(id))"], false]
    ]
    for (const [says, columns, after, isKey] of unique) {
      it.effect(`${isKey ? "has" : "does not have"} its key in a column with ${says}`, () =>
        Effect.gen(function* () {
          const name = yield* table(columns, after)
          const checked = yield* Effect.either(
            EntityTables.check(Entity.make(name, { key: "id", columns: { id: Column.integer } }))
          )
          expect(Either.isRight(checked)).toBe(isKey)
          if (Either.isLeft(checked)) {
            expect(checked.left.problems).toMatchObject([{ column: "id", declared: "the key" }])
          }
        })
      )
    }

    it.effect("may be a view, whose keys the database does not know", () =>
      Effect.gen(function* () {
        const name = yield* table(definition("TEXT"), ["CREATE VIEW $_view AS SELECT id, value FROM $"])
        yield* EntityTables.check(declared(`${name}_view`, Column.text))
        expect(yield* Effect.flip(EntityTables.check(declared(`${name}_view`, Column.float)))).toBeInstanceOf(
          EntityMismatch
        )
      })
    )

    it.effect("is compared together with what it is related to", () =>
      Effect.gen(function* () {
        const here = declared(yield* table(definition("INTEGER")), Column.integer)
        const there = declared(yield* table(definition("INTEGER")), Column.text)
        const error = yield* Effect.flip(SqlRepository.make(here, { other: Relation.one(there, "value") }))
        expect(error.table).toBe(there.table)
      })
    )

    it.effect("stops the start of a program with one line, also when its table is missing", () =>
      Effect.gen(function* () {
        class List extends Context.Tag("test/List")<List, Repository.For<ReturnType<typeof declared>>>() {}
        const entity = declared(yield* table(definition("TEXT")), Column.float)
        const failures = [
          yield* Effect.flip(Effect.scoped(Layer.build(SqlRepository.layer(List, entity)))),
          yield* Effect.flip(Effect.scoped(Layer.build(EntityCheck.layer(entity)))),
          yield* Effect.flip(Effect.scoped(Layer.build(EntityCheck.layer(declared("nowhere", Column.text))))),
          yield* Effect.flip(Effect.scoped(Layer.build(SqlRepository.layer(List, declared("nowhere", Column.text))))),
          yield* Effect.flip(SqlRepository.make(declared("no_schema.nowhere", Column.text)))
        ]
        expect(failures.map(StartupLine.line)).toEqual([
          expect.stringMatching(/^The entity does not fit the table table_\d+: value is declared as float/),
          expect.stringMatching(/^The entity does not fit the table table_\d+: value is declared as float/),
          "The entity does not fit the table nowhere: there is no such table. (see effect-framework/docs/troubleshooting.md#an-entity-and-its-table)",
          "The entity does not fit the table nowhere: there is no such table. (see effect-framework/docs/troubleshooting.md#an-entity-and-its-table)",
          "The entity does not fit the table no_schema.nowhere: there is no such table. (see effect-framework/docs/troubleshooting.md#an-entity-and-its-table)"
        ])
      })
    )
  })
})

describeDatabases("A walk over a table that does not fit", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("ends with the reason when two rows share the key, and loses none in silence", () =>
      Effect.gen(function* () {
        const name = yield* table("id INTEGER NOT NULL", ["INSERT INTO $ VALUES (1), (2), (2), (3)"])
        const entity = Entity.make(name, { key: "id", columns: { id: Column.integer } })
        const list = yield* SqlRepository.make(entity, {}, { check: false })
        const exit = yield* Effect.exit(list.paginate(list.select, pages({ cursor: "", limit: 2 })))
        const [defect] = Exit.isFailure(exit) ? Cause.defects(exit.cause) : []
        expect(defect).toBeInstanceOf(EntityMismatch)
        expect(String(defect)).toContain("two rows that share a place in it")
      })
    )

    it.effect("ends with the reason when a value is read with less precision than it has", () =>
      Effect.gen(function* () {
        const type = database.name === "SQLite" ? "NUMERIC" : "NUMERIC(30, 20)"
        const rows =
          database.name === "SQLite"
            ? "(1, 9007199254740993), (2, 9007199254740995), (3, 9007199254740997)"
            : "(1, 0.10000000000000000001), (2, 0.10000000000000000002), (3, 0.10000000000000000003)"
        const name = yield* table(definition(type), [`INSERT INTO $ VALUES ${rows}`])
        const list = yield* SqlRepository.make(declared(name, Column.float), {}, { check: false })
        const selection = list.select.order("Asc", "value").order("Desc", "id")
        const seen: Array<unknown> = []
        const walked = yield* Effect.exit(
          Effect.gen(function* () {
            let cursor: string | null = ""
            // More steps than there are rows: a walk that does not end would go on.
            for (let step = 0; step < 10 && cursor !== null; step++) {
              const page: Repository.Paginated<{ readonly id: unknown }> = yield* list.paginate(
                selection,
                pages({ cursor, limit: 1 })
              )
              seen.push(...page.items.map(({ id }) => id))
              cursor = page.pagination.next
            }
          })
        )
        // SQLite knows which integers a float does not hold; PostgreSQL was told that all of them are floats.
        const causes = Exit.isFailure(walked) ? [...Cause.failures(walked.cause), ...Cause.defects(walked.cause)] : []
        expect(causes).toEqual([
          database.name === "SQLite"
            ? new Column.ForeignValue({ table: name, column: "value", kind: "float" })
            : expect.any(EntityMismatch)
        ])
        expect(seen.length).toBeLessThanOrEqual(3)
      })
    )
  })
})
