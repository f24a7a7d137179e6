import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as RedactedUrl from "../../../src/database/internal/RedactedUrl.ts"

describe("RedactedUrl", () => {
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
    expect(RedactedUrl.redact(text)).toBe(shown)
  })

  // Letters that the rest of the address does not have, among everything that could mislead a reader.
  const mark = "QXZ"
  const noise = FastCheck.string({ unit: FastCheck.constantFrom(..."@:/?#&=%+ ;.a1\\[]\n"), maxLength: 6 })
  const scheme = FastCheck.constantFrom("postgres://", "POSTGRESQL://", "mysql://", "redis+tls://", "file:", "")

  it.prop("never shows a password, whatever is in it", [scheme, noise, noise], ([scheme, before, after]) => {
    expect(RedactedUrl.redact(`${scheme}user:${before}${mark}${after}@host/app`)).not.toContain(mark)
  })

  it.prop("never shows the password of a query", [scheme, noise, noise], ([scheme, before, after]) => {
    expect(RedactedUrl.redact(`${scheme}host/app?password=${before}${mark}${after}`)).not.toContain(mark)
  })
})
