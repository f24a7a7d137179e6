import { describe, expect, it } from "@effect/vitest"
import { Option, Redacted } from "effect"
import * as DatabaseUrl from "../../../src/database/DatabaseUrl.ts"
import * as DatabaseUrlParser from "../../../src/database/internal/DatabaseUrlParser.ts"

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
    expect(DatabaseUrlParser.parse(text)).toEqual(Option.some(DatabaseUrl.Sqlite({ path })))
  })

  it.each(["postgres://u:p@db.example:5433/app", "postgresql://localhost/app", "postgres:///app?host=/run/postgresql"])(
    "reads %s as PostgreSQL",
    (text) => {
      const url = Option.getOrThrow(DatabaseUrlParser.parse(text))
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
    expect(DatabaseUrlParser.parse(text)).toEqual(Option.none())
  })
})
