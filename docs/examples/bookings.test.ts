import { HttpLayerRouter, HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Constraint } from "effect-framework/layers/database"
import { Access } from "effect-framework/routes/auth"
import { FormState, Respond } from "effect-framework/routes/session"
import { TestApp } from "effect-framework/testing"

class RoomTaken extends Schema.TaggedError<RoomTaken>()("RoomTaken", {}) {
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.text("The room is taken in these nights.", { status: 409 })
  }
}

const Booking = Schema.Struct({ room: Schema.NumberFromString, first: Schema.String, last: Schema.String })

// PostgreSQL compares the ranges of the nights itself; SQLite has a trigger that raises the same name.
const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE bookings (room INTEGER NOT NULL, first_night DATE NOT NULL, last_night DATE NOT NULL)`
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.zipRight(
        sql`CREATE EXTENSION IF NOT EXISTS btree_gist`,
        sql`ALTER TABLE bookings ADD CONSTRAINT bookings_no_overlap
          EXCLUDE USING gist (room WITH =, daterange(first_night, last_night, '[]') WITH &&)`
      ),
    orElse: () => sql`CREATE TRIGGER bookings_no_overlap BEFORE INSERT ON bookings
      WHEN EXISTS (SELECT 1 FROM bookings WHERE room = NEW.room
        AND first_night <= NEW.last_night AND last_night >= NEW.first_night)
      BEGIN SELECT RAISE(ABORT, 'bookings_no_overlap'); END`
  })
})

const book = Effect.gen(function* () {
  const { first, last, room } = yield* FormState.read(Booking)
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO bookings ${sql.insert({ room, first_night: first, last_night: last })}`.pipe(
    Constraint.catch({ bookings_no_overlap: () => new RoomTaken() }),
    Effect.catchTag("SqlError", Effect.die)
  )
  return Respond.text("Booked")
})

const routes = [HttpLayerRouter.route("POST", "/bookings", Access.requireUser(book))]

layer(TestApp.layer(routes, { migrations: { "0001_bookings": table } }))("A room", (it) => {
  it.effect("is booked once for each night, also by many at a time", () =>
    Effect.gen(function* () {
      const user = yield* TestApp.signedInUser()
      const nights = { room: "7", first: "2027-05-01", last: "2027-05-03" }
      const book = user.json("POST", "/bookings", nights)
      const statuses = yield* Effect.forEach([1, 2, 3, 4], () => Effect.map(book, ({ status }) => status), {
        concurrency: "unbounded"
      })
      expect(statuses.sort()).toEqual([200, 409, 409, 409])
      const later = yield* user.json("POST", "/bookings", { ...nights, first: "2027-05-04", last: "2027-05-05" })
      expect(later.body).toBe("Booked")
    })
  )
})
