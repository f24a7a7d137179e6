import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import * as DatabaseConfig from "../../../src/database/internal/DatabaseConfig.ts"
import * as DatabaseUrl from "../../../src/database/DatabaseUrl.ts"

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
