import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option, Redacted } from "effect"
import * as DatabaseUrl from "../../../src/database/DatabaseUrl.ts"

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
    expect(DatabaseUrl.parse(text)).toEqual(Option.some(DatabaseUrl.Sqlite({ path })))
  })

  it.each(["postgres://u:p@db.example:5433/app", "postgresql://localhost/app", "postgres:///app?host=/run/postgresql"])(
    "reads %s as PostgreSQL",
    (text) => {
      const url = Option.getOrThrow(DatabaseUrl.parse(text))
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
    expect(DatabaseUrl.parse(text)).toEqual(Option.none())
  })

  it.each([
    ["postgres://u:secret@host:5432/app", "postgres://u:********@host:5432/app"],
    ["postgres://:secret@host/app", "postgres://********@host/app"],
    ["postgres://u:se@cr/et#x@host/app", "postgres://u:********@host/app"],
    ["postgres://u@host/app", "postgres://********@host/app"],
    ["user://secret@host/app", "********@host/app"],
    ["user:///secret@host/app", "********@host/app"],
    ["postgres://u:secret", "postgres://********"],
    ["postgres://u:secret/app", "postgres://********"],
    ["postgres://u:secret%40host/app", "postgres://********"],
    ["postgres://u@host:secret/app", "postgres://********@********"],
    ["postgres:u:secret@host/app", "********@host/app"],
    ["postgres:/u:secret@host/app", "********@host/app"],
    ["postgres:\\\\u:secret@host/app", "********@host/app"],
    [" postgres://u:secret@host/app", "********"],
    ["pos\ntgres://u:secret@host/app", "********"],
    ["POSTGRES://u:secret@[::1]:5432/app", "POSTGRES://u:********@[::1]:5432/app"],
    ["postgres://host/app?password=sec@ret", "postgres://********"],
    ["postgres://host/app?password=sec&ret", "postgres://host/app?password=********&********"],
    ["postgres://host/app?p%61ssword=secret", "postgres://host/app?********"],
    ["postgres://host/app?PASSWORD=secret", "postgres://host/app?********"],
    ["postgres://host/app?sslmode=require;password=secret", "postgres://host/app?sslmode=********"],
    ["postgres://host/app#password=secret", "postgres://host/********"],
    ["postgres://host/app password=secret", "postgres://host/********"],
    ["host=localhost user=u password=secret", "********"],
    ["host=db.example,password='sec@ret'", "********"],
    ["jdbc:postgresql://host/app?user=u&password=secret", "********"],
    ["Server=host;User Id=u;Password=secret;", "********"],
    ["u:secret", "********"],
    ["file:demo.sqlite?key=secret", "file:demo.sqlite?key=********"],
    ["file://u:secret@host/demo.sqlite", "********@host/demo.sqlite"],
    ["file::memory:", "file::memory:"],
    ["storage/demo.sqlite", "storage/demo.sqlite"],
    [
      "postgres://host/app?user=u&password=secret&sslmode=require",
      "postgres://host/app?user=u&password=********&sslmode=require"
    ],
    ["postgres://host:5432/app", "postgres://host:5432/app"],
    ["u:secret@host/app", "********@host/app"],
    ["file:storage/demo.sqlite", "file:storage/demo.sqlite"]
  ])("shows %s as %s", (text, shown) => {
    expect(DatabaseUrl.redacted(text)).toBe(shown)
  })

  // Letters that the rest of the address does not have, among everything that could mislead a reader.
  const mark = "QXZ"
  const noise = FastCheck.string({ unit: FastCheck.constantFrom(..."@:/?#&=%+ ;.a1\\[]\n"), maxLength: 6 })
  const scheme = FastCheck.constantFrom("postgres://", "POSTGRESQL://", "mysql://", "redis+tls://", "file:", "")

  it.prop("never shows a password, whatever is in it", [scheme, noise, noise], ([scheme, before, after]) => {
    expect(DatabaseUrl.redacted(`${scheme}user:${before}${mark}${after}@host/app`)).not.toContain(mark)
  })

  it.prop("never shows the password of a query", [scheme, noise, noise], ([scheme, before, after]) => {
    expect(DatabaseUrl.redacted(`${scheme}host/app?password=${before}${mark}${after}`)).not.toContain(mark)
  })
})
