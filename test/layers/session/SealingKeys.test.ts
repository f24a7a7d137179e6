import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer, Option, TestClock } from "effect"
import * as SqlKeyRing from "../../../layers/session/internal/SqlKeyRing.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import { KeyRing } from "../../../src/session/internal/KeyRing.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { stores } from "../auth/Stores.ts"

const ids = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ id: number }>`SELECT id FROM sealing_keys ORDER BY id`)

describeDatabases("Sealing keys", (database) => {
  layer(stores(database))((it) => {
    it.effect("are made once, at the first use, by workers that use them together", () =>
      Effect.gen(function* () {
        expect(yield* ids).toEqual([])
        const sealed = yield* Effect.all(
          Array.from({ length: 5 }, (_, index) =>
            Effect.flatMap(KeyRing, (keys) => keys.seal(`text ${index}`, "row")).pipe(
              Effect.provide(Layer.fresh(SqlKeyRing.layer(Tables.defaults)))
            )
          ),
          { concurrency: "unbounded" }
        )
        const keys = yield* KeyRing
        for (const [index, { text }] of sealed.entries()) {
          expect(yield* keys.unseal(text, "row")).toEqual(Option.some(`text ${index}`))
        }
        expect(yield* ids).toEqual([{ id: 1 }])
      })
    )

    it.effect("open what they sealed in its context, and nothing that was changed", () =>
      Effect.gen(function* () {
        const keys = yield* KeyRing
        for (const text of fc.sample(fc.string({ unit: "grapheme" }), 20)) {
          const sealed = yield* keys.seal(text, "context")
          expect(yield* keys.unseal(sealed.text, "context")).toEqual(Option.some(text))
          expect(yield* keys.unseal(sealed.text, "context ")).toEqual(Option.none())
          expect((yield* keys.seal(text, "context")).text).not.toBe(sealed.text)
        }
        const { text } = yield* keys.seal("JBSWY3DPEHPK3PXP", "context")
        for (let at = 0; at < text.length; at++) {
          const changed = text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1)
          // The last digit of base64 may have bits that count for nothing.
          if (Buffer.from(changed.slice(2), "base64url").equals(Buffer.from(text.slice(2), "base64url"))) continue
          expect(yield* keys.unseal(changed, "context"), changed).toEqual(Option.none())
        }
        for (const other of ["", ".", "1.", "1.AAAA", "999999999.AAAA", "x.y", `2${text.slice(1)}`, "\0"]) {
          expect(yield* keys.unseal(other, "context"), other).toEqual(Option.none())
        }
      })
    )

    it.effect("rotate: new texts take the new key, the old ones stay readable, and another worker knows both", () =>
      Effect.gen(function* () {
        const keys = yield* KeyRing
        const before = yield* keys.seal("before", "row")
        const after = yield* Effect.gen(function* () {
          const other = yield* KeyRing
          yield* other.rotate
          return yield* other.seal("after", "row")
        }).pipe(Effect.provide(Layer.fresh(SqlKeyRing.layer(Tables.defaults))))
        expect([before.key, after.key]).toEqual([1, 2])
        expect(yield* keys.unseal(after.text, "row")).toEqual(Option.some("after"))
        expect(yield* keys.unseal(before.text, "row")).toEqual(Option.some("before"))
        yield* TestClock.adjust("61 seconds")
        expect((yield* keys.seal("x", "row")).key).toBe(2)
      })
    )

    it.effect("are swept when no factor needs them and every worker has their successor", () =>
      Effect.gen(function* () {
        const keys = yield* KeyRing
        const sql = yield* SqlClient.SqlClient
        const { text } = yield* keys.seal("secret", "row")
        const row = {
          id: "f",
          user_id: "u",
          name: "",
          secret: text,
          key_id: 1,
          last_step: 0,
          last_used: 0,
          created_at: 0
        }
        yield* sql`INSERT INTO factors ${sql.insert(row)}`
        yield* keys.rotate
        yield* TestClock.adjust("2 hours")
        yield* keys.sweep
        expect(yield* ids).toEqual([{ id: 1 }, { id: 3 }])
        yield* sql`DELETE FROM factors`
        yield* keys.rotate
        yield* keys.sweep
        expect(yield* ids).toEqual([{ id: 3 }, { id: 4 }])
        expect(yield* keys.unseal(text, "row")).toEqual(Option.none())
      })
    )
  })
})
