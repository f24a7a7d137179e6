// The shop's own metrics.
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import { Counter, Labels, Observability } from "effect-framework/observability"

export class Sales extends Context.Tag("shop/Sales")<Sales, { readonly orders: Counter.Counter }>() {}

export const layer = Layer.scoped(
  Sales,
  Effect.gen(function* () {
    const { collectors, metrics } = yield* Observability.Observability
    const orders = yield* Counter.make("shop_orders_total", { help: "Orders that were placed" })
    yield* metrics.push(orders)
    const sql = yield* SqlClient.SqlClient
    const pieces = sql<{ sum: number | string | null }>`SELECT SUM(stock) AS sum FROM products`
    yield* collectors.push({
      name: "stock",
      collect: Effect.map(Effect.orDie(pieces), ([row]) => [
        {
          name: "shop_stock",
          type: "gauge",
          help: "Pieces in stock",
          // Every worker reads the same stock: it must not be added up.
          aggregation: "max",
          series: [{ labels: Labels.of({}), value: Number(row?.sum ?? 0) }]
        }
      ])
    })
    return { orders }
  })
)
