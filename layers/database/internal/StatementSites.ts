// Where a program wrote the statement that fails. A statement runs in the interpreter and fails in the driver, whose stacks
// do not contain the program, so the place is recorded when it is written. That costs two to nine microseconds of about
// twenty-five, since the stack becomes text only when it is shown. A prepared statement keeps it once.
import { SqlClient, type SqlConnection, type SqlError, Statement } from "@effect/sql"
import { Context, Effect, Effectable, Option, Predicate } from "effect"
import * as FailedStatement from "../../../src/errors/internal/FailedStatement.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import { measured, type StatementMetrics } from "./StatementMetrics.ts"

const frames = 8

/** An error raised where `above` was called. */
const capture = (above: Function): Error => {
  const limit = Error.stackTraceLimit
  // Taken once: not by the constructor, only from above.
  Error.stackTraceLimit = 0
  const place = new Error("written here")
  Error.stackTraceLimit = frames
  Error.captureStackTrace(place, above)
  Error.stackTraceLimit = limit
  return place
}

const textOf = (statement: Statement.Statement<unknown>): string | undefined => {
  try {
    return statement.compile()[0]
  } catch {
    return undefined
  }
}

type Run<A> = Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>

/** Runs on the only connection of a client that transforms no rows; otherwise while a transaction, or somebody else, has it. */
export type OnlyConnection = <A>(run: (connection: SqlConnection.Connection) => Run<A>, otherwise: Run<A>) => Run<A>

// Effect's client opens a span and a scope for each statement, and a scope copies the services of the program: on the
// connection itself a read by a key takes 25 µs instead of 55, and 21 inside a transaction.
const atOnce = <A>(
  only: OnlyConnection,
  run: (connection: SqlConnection.Connection) => Run<A>,
  otherwise: Run<A>
): Run<A> => {
  const connected = RequestServices.use((services: Context.Context<never>) => {
    const transaction = Context.getOption(services, SqlClient.TransactionConnection)
    return Option.isSome(transaction) ? run(transaction.value[0]) : only(run, otherwise)
  })
  const unchanged = Effect.flatMap(Statement.currentTransformer, (transformer) =>
    Option.isSome(transformer) ? otherwise : connected
  )
  return Tracing.ifOn(otherwise, unchanged)
}

/** Runs a statement with other values; `plain` does the same by the client. */
type RunWith<A> = (values: ReadonlyArray<unknown>, plain: Run<A>) => Run<A>

/** A statement of the client that it wraps, which is measured, and whose errors carry it and its place. */
class SitedStatement<A>
  extends Effectable.Class<ReadonlyArray<A>, SqlError.SqlError>
  implements Statement.Statement<A>
{
  readonly #statement: Statement.Statement<A>
  readonly #site: Error
  readonly #options: Options

  constructor(statement: Statement.Statement<A>, site: Error, options: Options) {
    super()
    this.#statement = statement
    this.#site = site
    this.#options = options
  }

  get [Statement.FragmentId]() {
    return this.#statement[Statement.FragmentId]
  }

  get segments() {
    return this.#statement.segments
  }

  get raw() {
    return this.#watched(this.#statement.raw)
  }

  get withoutTransform() {
    return this.#watched(this.#statement.withoutTransform)
  }

  get stream() {
    return this.#statement.stream
  }

  get values() {
    return this.#watched(this.#statement.values)
  }

  get unprepared() {
    return this.#watched(this.#statement.unprepared)
  }

  compile(withoutTransform?: boolean) {
    return this.#statement.compile(withoutTransform)
  }

  commit() {
    return this.#watched(this.#atOnce ?? this.#statement)
  }

  get #atOnce(): Run<A> | undefined {
    const { only } = this.#options
    if (only === undefined) return undefined
    const run = (connection: SqlConnection.Connection) => {
      const [text, parameters] = this.#statement.compile()
      return connection.execute(text, parameters, undefined)
    }
    return atOnce(only, run, this.#statement)
  }

  /** Runs the statement with the values of a call, compiled once; `undefined` where that has no shorter way. */
  get runWith(): RunWith<A> | undefined {
    const { only } = this.#options
    if (only === undefined) return undefined
    const [text] = this.#statement.compile()
    return (values, plain) =>
      atOnce(only, (connection) => this.#watched(connection.execute(text, values, undefined)), plain)
  }

  noted<E>(error: E): E {
    const text = textOf(this.#statement)
    if (Predicate.isObject(error) && text !== undefined) FailedStatement.note(error, { text, site: this.#site })
    return error
  }

  #watched<B>(run: Effect.Effect<B, SqlError.SqlError>): Effect.Effect<B, SqlError.SqlError> {
    return measured(
      Effect.mapError(run, (error) => this.noted(error)),
      this.#options.metrics
    )
  }
}

/** The error, which carries the statement from now on if one of our clients has made it. */
export const noted = <E>(error: E, statement: Statement.Statement<object>): E =>
  statement instanceof SitedStatement ? statement.noted(error) : error

/** As `SitedStatement.runWith`; `undefined` for a statement of a client of the program's own. */
export const runWith = <A>(statement: Statement.Statement<A>): RunWith<A> | undefined =>
  statement instanceof SitedStatement ? statement.runWith : undefined

const isStatement = (made: unknown): made is Statement.Statement<object> =>
  Effect.isEffect(made) && Statement.isFragment(made)

/** What is done with the statements of a client. */
interface Options {
  readonly metrics?: StatementMetrics | undefined
  readonly only?: OnlyConnection
}

/** The client, whose statements know where they were written, whose errors carry them, and which are measured. */
export const traced = <Client extends SqlClient.SqlClient>(client: Client, options: Options = {}): Client => {
  const plain = client.unsafe
  const unsafe: SqlClient.SqlClient["unsafe"] = <A extends object>(text: string, params?: ReadonlyArray<unknown>) =>
    new SitedStatement(plain<A>(text, params), capture(unsafe), options)
  const apply = (target: Client, self: unknown, given: Array<unknown>): unknown => {
    const made: unknown = Reflect.apply(target, self, given)
    return isStatement(made) ? new SitedStatement(made, capture(apply), options) : made
  }
  return new Proxy(Object.assign(client, { unsafe }), { apply })
}
