import { HttpLayerRouter, HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Constraint } from "effect-framework/layers/database"
import { Access } from "effect-framework/routes/auth"
import { FormState, Respond } from "effect-framework/routes/session"
import { TemporaryDatabase, TestApp } from "effect-framework/testing"

class RoomTaken extends Schema.TaggedError<RoomTaken>()("RoomTaken", {}) {
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.text("The room is taken in these nights.", { status: 409 })
  }
}

// `Date` takes February 30 for March 2: only a day that comes back as it was written is one.
const isDay = (text: string) =>
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().startsWith(text)

const Day = Schema.String.pipe(Schema.filter(isDay, { message: () => "Write a day such as 2027-05-01." }))

const Room = Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 999))

const Booking = Schema.Struct({ room: Room, first: Day, last: Day })

// PostgreSQL compares the ranges of the nights itself; SQLite has triggers that raise the same name.
const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE bookings (room INTEGER NOT NULL, first_night DATE NOT NULL, last_night DATE NOT NULL,
    CONSTRAINT bookings_in_order CHECK (first_night <= last_night))`
  yield* sql.onDialectOrElse({
    pg: () =>
      Effect.zipRight(
        sql`CREATE EXTENSION IF NOT EXISTS btree_gist`,
        sql`ALTER TABLE bookings ADD CONSTRAINT bookings_no_overlap
          EXCLUDE USING gist (room WITH =, daterange(first_night, last_night, '[]') WITH &&)`
      ),
    orElse: () =>
      Effect.forEach(["INSERT", "UPDATE"], (event) =>
        sql.unsafe(`CREATE TRIGGER bookings_no_overlap_${event.toLowerCase()} BEFORE ${event} ON bookings
          WHEN EXISTS (SELECT 1 FROM bookings WHERE room = NEW.room AND rowid <> NEW.rowid
            AND first_night <= NEW.last_night AND last_night >= NEW.first_night)
          BEGIN SELECT RAISE(ABORT, 'bookings_no_overlap'); END`)
      )
  })
})

const book = Effect.gen(function* () {
  const { first, last, room } = yield* FormState.read(Booking)
  if (last < first) {
    return yield* FormState.invalid(Booking, { fieldErrors: { last: "The last night is before the first." } })
  }
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO bookings ${sql.insert({ room, first_night: first, last_night: last })}`.pipe(
    Constraint.catch({ bookings_no_overlap: () => new RoomTaken() }),
    Effect.catchTag("SqlError", Effect.die)
  )
  return Respond.text("Booked")
})

const Move = Schema.Struct({ room: Room, to: Room })

const move = Effect.gen(function* () {
  const { room, to } = yield* FormState.read(Move)
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE bookings SET room = ${to} WHERE room = ${room}`.pipe(
    Constraint.catch({ bookings_no_overlap: () => new RoomTaken() }),
    Effect.catchTag("SqlError", Effect.die)
  )
  return Respond.text("Moved")
})

const routes = [
  HttpLayerRouter.route("POST", "/bookings", Access.requireUser(book)),
  HttpLayerRouter.route("POST", "/bookings/move", Access.requireUser(move))
]

const server = process.env["TEST_POSTGRES"] ?? "postgres://localhost/postgres"
const databases = { SQLite: {}, PostgreSQL: { database: TemporaryDatabase.layerPostgres(server) } }

for (const [name, database] of Object.entries(databases)) {
  layer(TestApp.layer(routes, { migrations: { "0001_bookings": table }, ...database }))(`A room on ${name}`, (it) => {
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

    it.effect("is not booked by moving a booking there", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.signedInUser()
        const nights = { first: "2027-06-01", last: "2027-06-03" }
        for (const room of ["8", "9"]) yield* user.json("POST", "/bookings", { room, ...nights })
        expect((yield* user.json("POST", "/bookings/move", { room: "8", to: "9" })).status).toBe(409)
        expect((yield* user.json("POST", "/bookings/move", { room: "8", to: "10" })).body).toBe("Moved")
      })
    )

    it.effect("is not booked from a day that is none, or backwards", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.signedInUser()
        const good = { room: "11", first: "2027-07-01", last: "2027-07-03" }
        const wrong = [
          { last: "2027-06-30" },
          { first: "2027-02-30" },
          { first: "soon" },
          { last: "2027-07-03'" },
          { last: "" },
          { room: "1.5" },
          { room: "99999999999" }
        ]
        for (const part of wrong) {
          expect((yield* user.json("POST", "/bookings", { ...good, ...part })).status, JSON.stringify(part)).toBe(422)
        }
        expect((yield* user.json("POST", "/bookings", good)).body).toBe("Booked")
      })
    )
  })
}
