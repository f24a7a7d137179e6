// The records of reported exceptions: what the log, the collector and other services receive of each.
import { Context, Effect, Layer, type Scope } from "effect"

/** A call in the project's own sources, or a span that was opened there. */
export interface ExceptionFrame {
  readonly function: string
  readonly file: string
  readonly line: number
}

/** An error that led to an exception. */
export interface ExceptionCause {
  readonly class: string
  readonly message: string
  /** Its place; empty when it is not known. */
  readonly file: string
  readonly line: number
}

/** One exception, with secrets masked and texts clipped: a line of `exceptions.log`. */
export interface ExceptionRecord {
  readonly timestamp: string
  readonly level: "error"
  readonly channel: string
  readonly message: string
  readonly class: string
  /** The place in the project's own sources; that in a dependency only when no other is known. */
  readonly file: string
  readonly line: number
  readonly method: string
  /** Without the query, and the pattern where the route has parameters. */
  readonly uri: string
  /** The pattern of the route; absent when none matched: then `uri` is what the client has typed. */
  readonly route?: string
  readonly peer: string
  /** The id of the request. */
  readonly id: string
  /** The id of the trace. */
  readonly trace_id?: string
  /** The id of the request's span. */
  readonly span_id?: string
  /** The id of the signed-in account. */
  readonly account?: string
  /** The SQL statement of a database error, without values. */
  readonly statement?: string
  /** The version of the program. */
  readonly version?: string
  /** The same for each exception of a class in a function of a file: neither line nor message count. */
  readonly fingerprint: string
  /** The frames in the project's own sources, innermost first: at most 16. */
  readonly frames: ReadonlyArray<ExceptionFrame>
  /** The nearest four causes and related errors, and the root. */
  readonly previous: ReadonlyArray<ExceptionCause>
  /** How many more there are; absent when `previous` is complete. */
  readonly omitted?: number
  /** Whether the places are those of the built program, because its source map was not open in time. */
  readonly unmapped?: true
}

/**
 * Receives the records in their order, some at a time, a few milliseconds after they were reported. It may fail, throw or
 * hang: neither a request nor another receiver is affected.
 */
export type Receiver = (records: ReadonlyArray<ExceptionRecord>) => Effect.Effect<unknown, unknown> | void

/**
 * Who receives the record of each exception that is reported in this process.
 *
 * @example
 * ```ts
 * import { Effect, Queue } from "effect"
 * import { ExceptionRecords } from "effect-framework/errors"
 *
 * // The latest exceptions of this process, for a page of the program's own.
 * export const latest = Effect.gen(function* () {
 *   const { add } = yield* ExceptionRecords.ExceptionRecords
 *   const queue = yield* Queue.sliding<ExceptionRecords.ExceptionRecord>(100)
 *   yield* add((records) => queue.offerAll(records))
 *   return queue
 * })
 * ```
 */
export class ExceptionRecords extends Context.Tag("effect-framework/errors/ExceptionRecords")<
  ExceptionRecords,
  {
    /** Adds a receiver until the scope closes. */
    readonly add: (receiver: Receiver) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

/** Adds a receiver for the lifetime of the layer. */
export const layer = (receiver: Receiver): Layer.Layer<never, never, ExceptionRecords> =>
  Layer.scopedDiscard(Effect.flatMap(ExceptionRecords, ({ add }) => add(receiver)))
