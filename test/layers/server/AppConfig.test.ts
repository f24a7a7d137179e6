import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import * as AppConfig from "../../../layers/server/AppConfig.ts"
import * as DatabaseUrl from "../../../src/database/DatabaseUrl.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(
    AppConfig.config("shop", { version: "1.2.3" }),
    ConfigProvider.fromMap(new Map(Object.entries(variables)))
  )

describe("the settings of a program", () => {
  it.effect("have its database in the storage folder, wherever that is", () =>
    Effect.gen(function* () {
      expect((yield* read({})).database).toEqual(DatabaseUrl.Sqlite({ path: "storage/shop.sqlite" }))
      expect((yield* read({ STORAGE_DIR: "/var/shop" })).database).toEqual(
        DatabaseUrl.Sqlite({ path: "/var/shop/shop.sqlite" })
      )
    })
  )

  it.effect("have the database that DATABASE_URL names", () =>
    Effect.gen(function* () {
      const { database } = yield* read({ STORAGE_DIR: "/var/shop", DATABASE_URL: "file:/data/other.sqlite" })
      expect(database).toEqual(DatabaseUrl.Sqlite({ path: "/data/other.sqlite" }))
    })
  )

  it.effect("fail for one malformed variable of any subsystem", () =>
    Effect.gen(function* () {
      for (const name of ["PORT", "DATABASE_URL", "TRUSTED_PROXIES", "DATABASE_ALLOW_NEWER"]) {
        expect(String(yield* Effect.flip(read({ [name]: "no such: value" })))).toContain(name)
      }
    })
  )
})
