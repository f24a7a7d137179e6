import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option, Redacted } from "effect"
import * as DatabaseConfig from "../../../src/database/internal/DatabaseConfig.ts"
import * as DatabaseUrl from "../../../src/database/DatabaseUrl.ts"
import { parse } from "../../../src/database/internal/DatabaseConfig.ts"

const withUrl = (url: string | undefined) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(url === undefined ? [] : [["DATABASE_URL", url]])))

describe("DATABASE_URL", () => {
  it.effect("is file:storage/demo.sqlite when it is unset or empty", () =>
    Effect.gen(function* () {
      const demo = DatabaseUrl.Sqlite({ path: "storage/demo.sqlite" })
      expect(yield* withUrl(undefined)(DatabaseConfig.url)).toEqual(demo)
      expect(yield* withUrl("")(DatabaseConfig.url)).toEqual(demo)
    })
  )

  it.effect("selects the engine", () =>
    Effect.gen(function* () {
      expect(yield* withUrl("file:/tmp/x.sqlite")(DatabaseConfig.url)).toEqual(
        DatabaseUrl.Sqlite({ path: "/tmp/x.sqlite" })
      )
      const url = yield* withUrl("postgresql://u:p@localhost/x")(DatabaseConfig.url)
      expect(url._tag === "Postgres" && Redacted.value(url.url)).toBe("postgresql://u:p@localhost/x")
    })
  )
})

describe("DatabaseUrl", () => {
  it.each([
    ["file:storage/demo.sqlite", "storage/demo.sqlite"],
    ["file:./demo.sqlite", "./demo.sqlite"],
    ["file:/var/lib/demo.sqlite", "/var/lib/demo.sqlite"],
    ["file:///var/lib/demo.sqlite", "/var/lib/demo.sqlite"],
    ["file://localhost/var/lib/demo.sqlite", "/var/lib/demo.sqlite"],
    ["FILE:demo.sqlite", "demo.sqlite"],
    ["file:with%20space.sqlite", "with space.sqlite"]
  ])("reads %s as the SQLite file %s", (text, path) => {
    expect(parse(text)).toEqual(Option.some(DatabaseUrl.Sqlite({ path })))
  })

  it.each(["postgres://u:p@db.example:5433/app", "postgresql://localhost/app", "postgres:///app?host=/run/postgresql"])(
    "reads %s as PostgreSQL",
    (text) => {
      const url = Option.getOrThrow(parse(text))
      expect(url._tag === "Postgres" && Redacted.value(url.url)).toBe(text)
    }
  )

  it.each([
    "",
    "file:",
    "file::memory:",
    "file://elsewhere/demo.sqlite",
    "file:demo.sqlite?mode=ro",
    "file:demo%00.sqlite",
    "file:demo%zz.sqlite",
    "storage/demo.sqlite",
    "sqlite:demo.sqlite",
    "mysql://root@localhost/app",
    "postgres:app",
    "postgres://u:p@host:port/app"
  ])("refuses %j", (text) => {
    expect(parse(text)).toEqual(Option.none())
  })
})
