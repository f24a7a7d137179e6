// Cursors that were issued, and then changed: cut, mutated, signed with another key, or sent to another list.
import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, FastCheck as fc, Layer, Redacted } from "effect"
import * as CursorSignature from "../../../layers/pagination/internal/CursorSignature.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as ListRoute from "../../../routes/pagination/ListRoute.ts"
import { CursorCodec } from "../../../src/pagination/internal/columns/CursorCodec.ts"
import type * as Entity from "../../../src/pagination/Entity.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import type * as Repository from "../../../src/pagination/Repository.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Counted from "../../fuzz/Counted.ts"
import * as Things from "../../layers/pagination/Things.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Serving from "../../support/Serving.ts"
import { escaped, get } from "./ListClient.ts"

const forgeries = Counted.isFuzzing ? 1200 : 300

const [integers, texts] = [erase(Things.entities.integer), erase(Things.entities.text)]
const codecs = ["plain", "signed"] as const

const rowsOf = (key: "integer" | "text") =>
  fc
    .sample(Things.things(key, 30), { numRuns: 40, seed: 7 })
    .flat()
    .slice(0, 24)
    .map((row, index) => Object.assign({}, row, { id: Things.keyOf[key](index) }))

const ways = (entity: Entity.Entity): ReadonlyArray<Selection.Selection<Entity.Entity["columns"]>> => {
  const all = Selection.from(entity)
  return [
    all,
    all.order("Desc", "id"),
    all.order("Asc", "size"),
    all.order("Desc", "size"),
    all.filter("flag", "isTrue").order("Asc", "size"),
    all.order("Asc", "wide").order("Desc", "word"),
    all.order("Asc", "note", "First"),
    all.order("Asc", "note", "Last"),
    all.order("Desc", "cost").order("Asc", "blob")
  ]
}
const lists = [...ways(integers), ...ways(texts)]
// What a signature covers.
const names = lists.map((list) => Keyset.list(list.entity, Keyset.orders(list)))

type Repositories = Readonly<Record<(typeof codecs)[number], ReadonlyMap<Entity.Entity, Repository.For<Entity.Entity>>>>
class Lists extends Context.Tag("test/SignedLists")<Lists, Repositories>() {}

const key = Redacted.make("the key of this server, which nobody else has")
const stolen = CursorSignature.make([Redacted.make("the key of another server, also a long one")])
const entities = [integers, texts]

const repositories = Layer.effect(
  Lists,
  Effect.gen(function* () {
    yield* Effect.forEach(entities, Things.create)
    yield* Things.insert(integers, rowsOf("integer"))
    yield* Things.insert(texts, rowsOf("text"))
    const make = Effect.forEach(entities, (entity) =>
      Effect.map(SqlRepository.make(entity), (list) => [entity, list] as const)
    )
    const signed = Effect.provideService(make, CursorCodec, CursorSignature.make([key]))
    return { plain: new Map(yield* make), signed: new Map(yield* signed) }
  })
)

const routes = codecs.flatMap((codec) =>
  lists.map((list, index) =>
    HttpLayerRouter.route(
      "GET",
      `/${codec}/${index}`,
      Effect.flatMap(Lists, (all) => {
        const repository = all[codec].get(list.entity)
        if (repository === undefined) return Effect.die(`no list of ${list.entity.table}`)
        return ListRoute.respond(repository, list, { bidirectional: true, rowCursors: true })
      })
    )
  )
)

interface Issued {
  readonly cursor: string
  readonly codec: (typeof codecs)[number]
  readonly list: number
}

// A change of a cursor, or only of the list that it is sent to.
const forgery = fc.oneof(
  fc.constant((issued: Issued) => issued.cursor),
  fc.nat(500).map(
    (at) =>
      ({ cursor }: Issued) =>
        cursor.slice(0, at % (cursor.length + 1))
  ),
  fc.nat(500).map(
    (at) =>
      ({ cursor }: Issued) =>
        cursor.slice(at % (cursor.length + 1))
  ),
  fc
    .tuple(fc.nat(500), fc.constantFrom("A", "Z", "_", "-", ".", "=", "%", "\0", "é", ""))
    .map(([at, char]) => ({ cursor }: Issued) => {
      const place = at % (cursor.length + 1)
      return cursor.slice(0, place) + char + cursor.slice(place + 1)
    }),
  fc.constant(({ cursor, list }: Issued) => stolen.encode(cursor.split(".")[0] ?? "", names[list] ?? "")),
  fc.constantFrom(".", "..", ".AAAAAAAAAAAAAAAAAAAAAA").map(
    (end) =>
      ({ cursor }: Issued) =>
        cursor.split(".")[0] + end
  ),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => () => Buffer.from(bytes).toString("base64url")),
  fc.string({ unit: "binary", maxLength: 40 }).map((text) => () => text)
)

const request = fc.record({
  forgery,
  issued: fc.nat(10_000),
  codec: fc.constantFrom(...codecs),
  list: fc.nat(lists.length - 1),
  isOwn: fc.boolean(),
  name: fc.constantFrom("cursor", "before")
})

describeDatabases("A cursor that was issued", (database) => {
  const served = Serving.layer(routes).pipe(Layer.provideMerge(repositories), Layer.provideMerge(database.layerEmpty))
  layer(served, { excludeTestServices: true })((it) => {
    it.effect("is accepted with its signature only as it was issued, and never makes a list fail", () =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        const parts = codecs.flatMap((codec) => lists.map((_, list) => ({ codec, list })))
        const issued = (yield* Effect.forEach(parts, ({ codec, list }) =>
          Effect.map(get(`${url}/${codec}/${list}?limit=100&cursor=`), ({ body }) =>
            (JSON.parse(body) as { cursors: ReadonlyArray<string> }).cursors.map((cursor): Issued => ({
              cursor,
              codec,
              list
            }))
          )
        )).flat()
        const valid = new Set(issued.map(({ codec, cursor, list }) => `${codec} ${names[list]} ${cursor}`))
        const counts: Record<number, number> = {}
        const ask = Effect.fnUntraced(function* (asked: typeof request extends fc.Arbitrary<infer A> ? A : never) {
          const from = issued[asked.issued % issued.length]
          if (from === undefined) return
          const cursor = asked.forgery(from)
          const { codec, list } = asked.isOwn ? from : asked
          const { body, status } = yield* get(`${url}/${codec}/${list}?${asked.name}=${escaped(cursor)}`)
          counts[status] = (counts[status] ?? 0) + 1
          const isRefused = status === 400 && body.startsWith('{"error":"The cursor is not valid: ')
          const isIssued = cursor === "" || valid.has(`${codec} ${names[list]} ${cursor}`)
          const isRight = isIssued ? status === 200 : isRefused || (codec === "plain" && status === 200)
          if (!isRight) expect([codec, names[list], cursor, status, body]).toBe("refused")
        })
        const requests = fc.sample(request, { numRuns: forgeries })
        yield* Effect.forEach(requests, ask, { concurrency: 8, discard: true })
        Counted.add("forged cursors", requests.length)
        expect(Object.keys(counts)).toEqual(["200", "400"])
      })
    )
  })
})
