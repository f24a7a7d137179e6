import { SqlClient, type SqlError } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Data, Effect } from "effect"
import * as Constraint from "../../../layers/database/Constraint.ts"
import { describeDatabases } from "../../support/Databases.ts"

class RoomTaken extends Data.TaggedError("RoomTaken") {}
class NoSuchRoom extends Data.TaggedError("NoSuchRoom") {}
class Negative extends Data.TaggedError("Negative") {}
class NameTaken extends Data.TaggedError("NameTaken") {}
class SlotTaken extends Data.TaggedError("SlotTaken") {}
class Overlap extends Data.TaggedError("Overlap") {}

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE rooms (id INTEGER CONSTRAINT rooms_key PRIMARY KEY, name TEXT NOT NULL)`
  yield* sql`CREATE UNIQUE INDEX rooms_name ON rooms (lower(name))`
  yield* sql`CREATE TABLE bookings (
    room INTEGER NOT NULL CONSTRAINT bookings_room REFERENCES rooms (id),
    day TEXT NOT NULL, slot INTEGER NOT NULL, guests INTEGER NOT NULL, "from" INTEGER NOT NULL, until INTEGER NOT NULL,
    CONSTRAINT bookings_guests CHECK (guests > 0),
    CONSTRAINT bookings_day UNIQUE (room, day))`
  yield* sql`CREATE UNIQUE INDEX bookings_slot ON bookings (slot)`
  yield* sql.onDialectOrElse({
    sqlite: () => sql`CREATE TRIGGER no_overlap BEFORE INSERT ON bookings WHEN EXISTS (SELECT 1 FROM bookings AS b
      WHERE b.room = NEW.room AND b."from" < NEW.until AND NEW."from" < b.until)
      BEGIN SELECT RAISE(ABORT, 'bookings_no_overlap'); END`,
    orElse: () => sql`ALTER TABLE bookings ADD CONSTRAINT bookings_no_overlap
      EXCLUDE USING gist (int4range("from", until) WITH &&) WHERE (room = 1)`
  })
  yield* sql`INSERT INTO rooms (id, name) VALUES (1, 'Oak'), (2, 'Elm')`
  yield* sql`INSERT INTO bookings VALUES (1, 'monday', 1, 2, 10, 20)`
})

const insert = (room: number, day: string, slot: number, guests: number, from: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`INSERT INTO bookings VALUES (${room}, ${day}, ${slot}, ${guests}, ${from}, ${from + 5})`
  ).pipe(
    Constraint.catch({
      bookings_room: () => new NoSuchRoom(),
      bookings_guests: () => new Negative(),
      bookings_day: () => new RoomTaken(),
      bookings_slot: () => new SlotTaken(),
      bookings_no_overlap: () => new Overlap()
    })
  )

describeDatabases("Constraint.catch", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("turns each kind of violation into the error of its name, and leaves all others", () =>
      Effect.gen(function* () {
        yield* tables
        const failed = (...row: Parameters<typeof insert>) =>
          Effect.map(Effect.flip(insert(...row)), ({ _tag }) => _tag)
        expect(yield* failed(1, "monday", 2, 2, 100)).toBe("RoomTaken")
        expect(yield* failed(2, "monday", 1, 2, 100)).toBe("SlotTaken")
        expect(yield* failed(9, "monday", 2, 2, 100)).toBe("NoSuchRoom")
        expect(yield* failed(2, "monday", 2, 0, 100)).toBe("Negative")
        expect(yield* failed(1, "tuesday", 2, 2, 12)).toBe("Overlap")
        yield* insert(2, "monday", 2, 2, 100)
        const sql = yield* SqlClient.SqlClient
        const named = sql`INSERT INTO rooms (id, name) VALUES (3, 'OAK')`.pipe(
          Constraint.catch({ rooms_name: () => new NameTaken() })
        )
        const typed: Effect.Effect<unknown, NameTaken | SqlError.SqlError, SqlClient.SqlClient> = named
        expect((yield* Effect.flip(typed))._tag).toBe("NameTaken")
        const other = sql`INSERT INTO bookings VALUES (1, 'friday', 7, 0, 30, 31)`.pipe(
          Constraint.catch({ toString: () => new NameTaken(), bookings_day: () => new NameTaken() })
        )
        expect((yield* Effect.flip(other))._tag).toBe("SqlError")
        const wrong = Constraint.catch({ rooms_name: () => new NameTaken() })(sql`INSERT INTO nothing VALUES (1)`)
        expect((yield* Effect.flip(wrong))._tag).toBe("SqlError")
      })
    )

    it.effect("in a transaction rolls it back", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const both = Effect.zipRight(
          sql`INSERT INTO rooms (id, name) VALUES (5, 'Ash')`,
          sql`INSERT INTO rooms (id, name) VALUES (6, 'ASH')`
        )
        const failure = yield* Effect.flip(
          Constraint.catch({ rooms_name: () => new NameTaken() })(sql.withTransaction(both))
        )
        expect(failure._tag).toBe("NameTaken")
        expect(yield* sql`SELECT id FROM rooms WHERE id > 4`).toEqual([])
      })
    )
  })
})
