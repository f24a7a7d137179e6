import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Stream } from "effect"
import { SqlRepository } from "effect-framework/layers/pagination"
import { Column, Entity, type Repository } from "effect-framework/pagination"
import { Access } from "effect-framework/routes/auth"
import { TestApp } from "effect-framework/testing"

const Room = Entity.make("rooms", { key: "id", columns: { id: Column.integer, name: Column.text } })
class Rooms extends Context.Tag("inn/Rooms")<Rooms, Repository.For<typeof Room>>() {}

// A spreadsheet runs a text that begins with one of these as a formula: the apostrophe keeps it a text.
const cell = (text: string): string => `"${text.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`

const download = Effect.map(Rooms, (rooms) => {
  const lines = Stream.map(rooms.stream(rooms.select.order("Asc", "name")), ({ id, name }) => `${id},${cell(name)}\r\n`)
  const body = Stream.concat(Stream.make("id,name\r\n"), Stream.orDie(lines))
  return HttpServerResponse.stream(Stream.encodeText(body), {
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": 'attachment; filename="rooms.csv"' }
  })
})

const routes = [HttpLayerRouter.route("GET", "/rooms.csv", Access.requireUser(download))]

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE rooms (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
  yield* sql`CREATE INDEX rooms_name ON rooms (name, id)`
  yield* sql`INSERT INTO rooms VALUES (1, 'Tower'), (2, 'The "old" room'), (3, '=1+1')`
})
const options = { migrations: { "0001_rooms": table }, services: SqlRepository.layer(Rooms, Room) }

layer(TestApp.layer(routes, options))("The file", (it) => {
  it.effect("has every row, and nothing that a spreadsheet would run", () =>
    Effect.gen(function* () {
      const user = yield* TestApp.signedInUser()
      const file = yield* user.get("/rooms.csv")
      expect(file.headers.get("content-disposition")).toContain("rooms.csv")
      expect(file.body).toBe(`id,name\r\n3,"'=1+1"\r\n2,"The ""old"" room"\r\n1,"Tower"\r\n`)
    })
  )
})
