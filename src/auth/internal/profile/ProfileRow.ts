// A profile as a row of a table: its columns, and the values that a driver returns for them.
import { Effect, Option, SchemaAST } from "effect"
import { RequestState, type State } from "../../../http/internal/RequestState.ts"
import type { AccountId } from "../../../session/Identity.ts"

/** A value of a column. */
type Scalar = string | number | boolean | null

/** The columns of a profile, as its schema encodes them. */
export type Row = Readonly<Record<string, Scalar | undefined>>

/** A column of a profile. */
export interface Column {
  readonly name: string
  readonly isOptional: boolean
  readonly kinds: ReadonlySet<string>
}

const kindsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(kindsOf)
  if (SchemaAST.isLiteral(ast)) return [ast.literal === null ? "null" : typeof ast.literal]
  if (SchemaAST.isStringKeyword(ast) || SchemaAST.isTemplateLiteral(ast)) return ["string"]
  if (SchemaAST.isNumberKeyword(ast)) return ["number"]
  return SchemaAST.isBooleanKeyword(ast) ? ["boolean"] : []
}

/** The columns of an encoded schema, in its order. */
export const columnsOf = (ast: SchemaAST.AST): ReadonlyArray<Column> =>
  SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ isOptional, name, type }) => ({
    name: String(name),
    isOptional,
    kinds: new Set(kindsOf(type))
  }))

const isNumeric = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text))

// SQLite has no booleans, PostgreSQL returns a `BIGINT` as text and a timestamp as a `Date`.
const convert = (value: unknown, kinds: ReadonlySet<string>): unknown => {
  if (kinds.has(typeof value)) return value
  if (kinds.has("boolean") && (value === 0 || value === 1)) return value === 1
  if (kinds.has("number") && typeof value === "string" && isNumeric(value)) return Number(value)
  if (kinds.has("string") && value instanceof Date) return value.toISOString()
  return kinds.has("string") && (typeof value === "number" || typeof value === "bigint") ? String(value) : value
}

const toScalar = (value: unknown): Option.Option<Scalar> =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? Option.some(value)
    : Option.none()

/** What a driver returned, as the schema encodes it. `NULL` in an optional column is absent. */
export const fromDriver = (columns: ReadonlyArray<Column>, values: Readonly<Record<string, unknown>>): Row =>
  Object.fromEntries(
    columns.flatMap(({ isOptional, kinds, name }) => {
      const value = values[name] ?? null
      if (value === null && isOptional && !kinds.has("null")) return []
      return Option.toArray(Option.map(toScalar(convert(value, kinds)), (scalar) => [name, scalar] as const))
    })
  )

// A property on the state, as the session is: the handler and the layout share the read.
const slot: unique symbol = Symbol("effect-framework/auth/Profile")

type Held = State & { [slot]?: { readonly user: AccountId; readonly row: Option.Option<Row> } | undefined }

interface Store {
  readonly read: (user: AccountId) => Effect.Effect<Option.Option<Row>>
}

/** The row of an account, read once for each request. A handler of an `HttpApi` cannot name the request in its type. */
export const readOnce = ({ read }: Store, user: AccountId): Effect.Effect<Option.Option<Row>> =>
  Effect.flatMap(Effect.serviceOption(RequestState), (found: Option.Option<Held>) => {
    if (Option.isNone(found)) return read(user)
    const state = found.value
    const held = state[slot]
    if (held?.user === user) return Effect.succeed(held.row)
    return Effect.tap(read(user), (row) => {
      state[slot] = { user, row }
    })
  })

/** The next read of this request asks the store again. */
export const forget: Effect.Effect<void> = Effect.map(
  Effect.serviceOption(RequestState),
  (state: Option.Option<Held>) => {
    if (Option.isSome(state)) state.value[slot] = undefined
  }
)
