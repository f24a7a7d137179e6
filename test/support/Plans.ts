// How a statement is carried out: whether a hot query is an index search, on either database.
//
//   const plan = yield* explain(sql`SELECT data FROM sessions WHERE key = ${key}`)
//   expect(plan.isIndexSearch, plan.text).toBe(true)
//
// A search means that every table is entered through an index by a condition: a walk along a whole index is none, and
// `plan.sorts` is whether a sort is left that no index avoids. PostgreSQL prefers to read a tiny table whole and to sort it, so
// both are made expensive for the explanation alone: what is left of them is what cannot be avoided.
import { SqlClient, type SqlError, type Statement } from "@effect/sql"
import { Effect } from "effect"
import { planOnce } from "../../layers/database/internal/SqliteConnection.ts"

export interface Plan {
  readonly isIndexSearch: boolean
  readonly sorts: boolean
  /** Whether it sorts rows that no limit keeps few. SQLite does not tell these from others. */
  readonly sortsAll: boolean
  readonly text: string
}

/** The plan of a statement, which is not run. Needs the client whose dialect the statement was written in. */
export const explain = (
  statement: Statement.Statement<object>
): Effect.Effect<Plan, SqlError.SqlError, SqlClient.SqlClient> => explaining(planOf(statement))

/** The plan of a statement inside `explaining`, which is for many of them. */
export const planOf = (
  statement: Statement.Statement<object>
): Effect.Effect<Plan, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const [text, parameters] = statement.compile()
    return sql.onDialectOrElse({
      pg: () => explainPostgres(sql, text, parameters),
      // As a prepared statement runs it.
      orElse: () => explainSqlite(sql, planOnce(text), parameters)
    })
  })

/** A transaction in which PostgreSQL reads no table whole and sorts nothing that it need not sort. */
export const explaining = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const forced = Effect.forEach(["seqscan", "bitmapscan", "sort"], (way) =>
      sql.unsafe(`SET LOCAL enable_${way} = off`)
    )
    return sql.onDialectOrElse({
      pg: () => sql.withTransaction(Effect.zipRight(forced, effect)),
      orElse: (): Effect.Effect<A, E | SqlError.SqlError, R> => effect
    })
  })

const explainSqlite = (sql: SqlClient.SqlClient, text: string, parameters: ReadonlyArray<unknown>) =>
  Effect.map(sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters), (rows): Plan => {
    const steps = rows.map((row) => row.detail)
    const accesses = steps.filter((step) => /^(?:SEARCH|SCAN) /.test(step) && !/^SCAN (?:\(|CONSTANT)/.test(step))
    const sorts = steps.some((step) => step.startsWith("USE TEMP B-TREE"))
    return {
      isIndexSearch: accesses.length > 0 && accesses.every((step) => step.startsWith("SEARCH ")),
      sorts,
      sortsAll: sorts,
      text: steps.join("\n")
    }
  })

interface Node {
  readonly "Node Type": string
  readonly "Index Cond"?: string
  readonly Plans?: ReadonlyArray<Node>
}

const explainPostgres = (sql: SqlClient.SqlClient, text: string, parameters: ReadonlyArray<unknown>) =>
  Effect.gen(function* () {
    const rows = yield* sql.unsafe<{ "QUERY PLAN": ReadonlyArray<{ Plan: Node }> }>(
      `EXPLAIN (FORMAT JSON) ${text}`,
      parameters
    )
    const roots = rows.flatMap((row) => row["QUERY PLAN"].map(({ Plan }) => Plan))
    const nodes = roots.flatMap(flatten)
    const accesses = nodes.filter(
      (node) =>
        node["Node Type"].endsWith(" Scan") && !/^(?:Subquery|CTE|Values|Function|Result)/.test(node["Node Type"])
    )
    const plan: Plan = {
      isIndexSearch:
        accesses.length > 0 &&
        accesses.every((node) => /Index/.test(node["Node Type"]) && node["Index Cond"] !== undefined),
      sorts: nodes.some((node) => node["Node Type"].endsWith("Sort")),
      sortsAll: roots.some(sortsAll),
      text: JSON.stringify(rows[0]?.["QUERY PLAN"], null, 2)
    }
    return plan
  })

const flatten = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(flatten)]

const isBounded = ({ Plans = [], ...node }: Node): boolean => node["Node Type"] === "Limit" || Plans.some(isBounded)

const sortsAll = ({ Plans = [], ...node }: Node): boolean =>
  (node["Node Type"].endsWith("Sort") && !Plans.some(isBounded)) || Plans.some(sortsAll)
