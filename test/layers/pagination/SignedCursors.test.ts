import { describe, expect, it, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Either, FastCheck as fc, Layer, Redacted } from "effect"
import * as CursorSignature from "../../../layers/pagination/internal/CursorSignature.ts"
import * as SignedCursors from "../../../layers/pagination/SignedCursors.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import { CursorCodec } from "../../../src/pagination/internal/columns/CursorCodec.ts"
import { sqlite } from "../../support/Databases.ts"
import { spied, statementsOf } from "./Spy.ts"
import * as Things from "./Things.ts"

const [young, old] = [Redacted.make("y".repeat(32)), Redacted.make("o".repeat(32))]
const seal = CursorSignature.make([young])

describe("SignedCursors", () => {
  it.prop(
    "opens what it has sealed, for the same list only",
    [fc.base64String(), fc.string(), fc.string()],
    ([token, list, other]) => {
      const sealed = seal.encode(token, list)
      expect(seal.decode(sealed, list)).toEqual(Either.right(token))
      expect(Either.isRight(seal.decode(sealed, other))).toBe(list === other)
    }
  )

  it.prop("refuses a token with any bit changed", [fc.nat()], ([place]) => {
    const bytes = Buffer.from(seal.encode("WyJCb2IiLDdd", "list"), "latin1")
    const bit = place % (bytes.length * 8)
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    expect(Either.isLeft(seal.decode(bytes.toString("latin1"), "list"))).toBe(true)
  })

  it.each(["", ".", "WyJCb2IiLDdd", "WyJCb2IiLDdd.", "WyJCb2IiLDdd.ä"])("refuses %j, which nobody signed", (token) => {
    expect(Either.isLeft(seal.decode(token, "list"))).toBe(true)
  })

  it("verifies with an old key after a new one was added in front, and not with a removed key", () => {
    const before = CursorSignature.make([old]).encode("abc", "list")
    expect(CursorSignature.make([young, old]).decode(before, "list")).toEqual(Either.right("abc"))
    expect(CursorSignature.make([young, old]).encode("abc", "list")).toBe(seal.encode("abc", "list"))
    expect(Either.isLeft(seal.decode(before, "list"))).toBe(true)
  })

  it.effect("is plain without keys, and says so when a key is too short without showing it", () =>
    Effect.gen(function* () {
      const read = (keys: string) =>
        Effect.withConfigProvider(
          CursorSignature.config,
          ConfigProvider.fromMap(new Map([[CursorSignature.variable, keys]]))
        )
      expect(yield* read("")).toBe(CursorCodec.defaultValue())
      expect((yield* read(`${"y".repeat(32)}, ${"o".repeat(32)}`)).encode("abc", "list")).toBe(
        seal.encode("abc", "list")
      )
      const error = yield* Effect.flip(read("short-secret"))
      expect(String(error)).toContain("PAGINATION_KEYS is ********, expected keys of at least 32 characters")
      expect(String(error)).not.toContain("short-secret")
    })
  )

  const columns = { id: Column.integer, rank: Column.integer } as const
  const [Cats, Dogs] = [Entity.make("cats", { key: "id", columns }), Entity.make("dogs", { key: "id", columns })]
  const tables = Layer.effectDiscard(
    Effect.forEach([Cats, Dogs], (entity) =>
      Effect.zipRight(
        Things.create(entity),
        Things.insert(
          entity,
          [1, 2, 3, 4].map((id) => ({ id, rank: id }))
        )
      )
    )
  )

  layer(tables.pipe(Layer.provideMerge(spied(sqlite.layerEmpty)), Layer.merge(SignedCursors.layer([young]))))((it) => {
    it.effect("lets no forged cursor and none of another list reach the database", () =>
      Effect.gen(function* () {
        expect(yield* CursorCodec).not.toBe(CursorCodec.defaultValue())
        const cats = yield* SqlRepository.make(Cats)
        const dogs = yield* SqlRepository.make(Dogs)
        const by = cats.select.order("Asc", "rank")
        const first = yield* cats.paginate(by, Either.getOrThrow(Pagination.make({ cursor: "", limit: 2 })))
        const { next } = first.pagination
        const pagination = Either.getOrThrow(Pagination.make({ cursor: next, limit: 2 }))
        expect((yield* cats.paginate(by, pagination)).items.map((cat) => cat.id)).toEqual([3, 4])
        const forged = Either.getOrThrow(Pagination.make({ cursor: next?.split(".")[0] ?? "" }))
        for (const refused of [
          cats.paginate(by, forged),
          cats.paginate(cats.select.order("Desc", "rank"), pagination),
          cats.paginate(
            by.not((cat) => cat.filter("rank", "equal", 4)),
            pagination
          ),
          cats.paginate(by.exists(Relation.one(Dogs, "rank")), pagination),
          dogs.paginate(dogs.select.order("Asc", "rank"), pagination)
        ]) {
          const [error, statements] = yield* statementsOf(Effect.flip(refused))
          expect(error.message).toContain("it was not issued for this list")
          expect(statements).toEqual([])
        }
      })
    )
  })
})
