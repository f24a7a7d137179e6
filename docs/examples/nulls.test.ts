import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect } from "effect"
import { Column, Entity, ListQuery, type Repository } from "effect-framework/pagination"
import { SqlRepository } from "effect-framework/layers/pagination"
import { ListRoute } from "effect-framework/routes/pagination"
import { TestApp } from "effect-framework/testing"

const Task = Entity.make("tasks", {
  key: "id",
  columns: { id: Column.integer, title: Column.text, due_on: Column.nullable(Column.text) }
})
class Tasks extends Context.Tag("shop/Tasks")<Tasks, Repository.For<typeof Task>>() {}

// Without `nulls` a task without a date would come before all others; a cursor needs one place for both databases.
const parameters = ListQuery.make(Task, {
  sort: ["due_on", "title"],
  nulls: "Last",
  filters: { undated: { column: "due_on", operator: "isNull" } },
  search: { columns: ["title"] }
})

const routes = [
  HttpLayerRouter.route(
    "GET",
    "/tasks",
    Effect.flatMap(Tasks, (tasks) => ListRoute.respond(tasks, tasks.select, { parameters }))
  )
]

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT NOT NULL, due_on TEXT)`
  yield* sql`CREATE INDEX tasks_due_on ON tasks (due_on, id)`
  yield* sql`CREATE INDEX tasks_title ON tasks (title, id)`
  yield* sql`INSERT INTO tasks VALUES (1, 'brew', NULL), (2, 'pour', '2027-05-02'), (3, 'boil', '2027-05-01')`
})

const services = SqlRepository.layer(Tasks, Task)

layer(TestApp.layer(routes, { migrations: { "0001_tasks": table }, services }))("GET /tasks", (it) => {
  it.effect.each([
    ["?sort=due_on", ["boil", "pour", "brew"]],
    ["?sort=-due_on&cursor=", ["pour", "boil", "brew"]],
    ["?undated=true", ["brew"]],
    ["?q=o&sort=title", ["boil", "pour"]]
  ] as const)("with %s", ([query, titles]) =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const { json } = yield* guest.json("GET", `/tasks${query}`)
      expect(json).toMatchObject({ items: titles.map((title) => ({ title })) })
    })
  )
})
