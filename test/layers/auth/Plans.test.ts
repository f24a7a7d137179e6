import { Statement } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as SqlAuthentication from "../../../layers/auth/SqlAuthentication.ts"
import { orPlain, PreparedStatements } from "../../../layers/database/internal/PreparedStatements.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import { describeTables } from "./TableVariants.ts"
import { explain } from "../../support/Plans.ts"
import { flows } from "./Flows.ts"
import * as InsecurePassword from "../../../testing/InsecurePassword.ts"

describeTables("Query plans", (database, tables) => {
  const statements = new Map<string, Statement.Statement<unknown>>()
  const record = (statement: Statement.Statement<unknown>) => {
    statements.set(statement.compile()[0].replace(/\s+/g, " ").trim(), statement)
  }
  const recording = Layer.effect(
    PreparedStatements,
    Effect.map(orPlain, (prepared) => ({
      one: (statement) => {
        record(statement)
        return prepared.one(statement)
      },
      all: (statement) => {
        record(statement)
        return prepared.all(statement)
      }
    }))
  )
  const stores = SqlAuthentication.layerWithoutSweeper({ tables }).pipe(
    Layer.provideMerge(InsecurePassword.layer),
    Layer.provideMerge(AuthConfig.layerWith({})),
    Layer.provideMerge(recording),
    Layer.provideMerge(database.layer)
  )
  layer(stores)((it) => {
    it.effect("search an index for every statement of every flow, but for the handful of keys", () =>
      Effect.gen(function* () {
        yield* Statement.withTransformer(flows, (statement) =>
          Effect.sync(() => {
            record(statement)
            return statement
          })
        )
        const hot = [...statements].filter(([text]) => !/^INSERT INTO .* VALUES/i.test(text) && !/keys\b/.test(text))
        expect(hot.length).toBeGreaterThan(20)
        for (const [text, statement] of hot) {
          const plan = yield* explain(statement as Statement.Statement<object>)
          expect(plan.isIndexSearch, `${text}\n${plan.text}`).toBe(true)
        }
      })
    )
  })
})
