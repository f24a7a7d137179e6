// A selection belongs to its entity, also where two tables have equal columns.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Things from "./Things.ts"

const columns = { id: Column.integer, title: Column.text }
const Live = Entity.make("live", { key: "id", columns })
const Drafts = Entity.make("drafts", { key: "id", columns })

const tables = Layer.effectDiscard(
  Effect.all([Things.fresh(Live, [{ id: 1, title: "live" }]), Things.fresh(Drafts, [{ id: 1, title: "draft" }])])
)

const refusal = (effect: Effect.Effect<unknown, unknown>) =>
  Effect.map(Effect.exit(effect), (exit) => (Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "nothing"))

describeDatabases("A selection", (database) => {
  layer(tables.pipe(Layer.provideMerge(database.layerEmpty)))((it) => {
    it.effect("of another entity is refused, and the right one returns the right rows afterwards", () =>
      Effect.gen(function* () {
        const live = yield* SqlRepository.make(Live)
        const drafts = Selection.from(Drafts)
        const wrong = "a selection of drafts does not select from live"
        // @ts-expect-error -- a selection of another entity
        expect(yield* refusal(live.paginate(drafts))).toContain(wrong)
        // @ts-expect-error -- a scope that replaces the selection by one of another entity
        expect(yield* refusal(live.paginate(live.select, undefined, () => drafts))).toContain(wrong)
        // @ts-expect-error -- in a part of a condition
        expect(() => live.select.not(() => drafts)).toThrow(wrong)
        // @ts-expect-error -- in the rows of a relation
        expect(() => Relation.many(Live, "id", { selection: () => drafts })).toThrow(wrong)
        const { items } = yield* live.paginate(Selection.from(Live))
        expect(items).toEqual([{ id: 1, title: "live" }])
      })
    )

    it.effect("of another declaration of the same table is refused", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const live = yield* SqlRepository.make(Live)
        const Wide = Entity.make("live", { key: "id", columns: { ...columns, id: Column.bigint } })
        // @ts-expect-error -- other columns
        expect(yield* refusal(live.paginate(Selection.from(Wide)))).toContain("declares it differently")
        expect(yield* sql`SELECT count(*) AS count FROM live`).toEqual([{ count: 1 }])
      })
    )
  })
})
