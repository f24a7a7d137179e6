// Where a program wrote the statement that fails. A statement runs in the interpreter and fails in the driver, whose stacks
// do not contain the program, so the place is recorded when it is written. That costs two or three microseconds of about
// sixty, since the stack becomes text only when it is shown. A prepared statement keeps it once.
import type { SqlClient } from "@effect/sql"
import { Effect, Predicate } from "effect"
import * as FailedStatement from "../../src/database/FailedStatement.ts"
import { measured, StatementMetrics } from "./StatementMetrics.ts"

const site = Symbol.for("effect-framework/database/StatementSites/site")
const timer = Symbol.for("effect-framework/database/StatementSites/timer")
const installed = Symbol.for("effect-framework/database/StatementSites/installed")

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

const textOf = (statement: object): string | undefined => {
  const compile: unknown = Reflect.get(statement, "compile")
  if (!Predicate.isFunction(compile)) return undefined
  try {
    const compiled: unknown = Reflect.apply(compile, statement, [])
    return Array.isArray(compiled) && typeof compiled[0] === "string" ? compiled[0] : undefined
  } catch {
    return undefined
  }
}

/** The error, which carries the statement from now on. */
export const noted = <E>(error: E, statement: object): E => {
  const text = textOf(statement)
  const place: unknown = Reflect.get(statement, site)
  if (Predicate.isObject(error) && text !== undefined && place instanceof Error) {
    FailedStatement.note(error, { text, site: place })
  }
  return error
}

// Every way to run a statement goes through this method of its class, which the package does not export.
const install = (statement: object): void => {
  const prototype: unknown = Object.getPrototypeOf(statement)
  if (!Predicate.isObject(prototype) || Reflect.has(prototype, installed)) return
  const run: unknown = Reflect.get(prototype, "withConnection")
  if (!Predicate.isFunction(run)) return
  Reflect.set(prototype, installed, true)
  Reflect.set(prototype, "withConnection", function (this: object, ...given: ReadonlyArray<unknown>): unknown {
    const running: unknown = Reflect.apply(run, this, given)
    if (!Effect.isEffect(running)) return running
    const metrics: unknown = Reflect.get(this, timer)
    const noting = Effect.mapError(running, (error) => noted(error, this))
    return measured(noting, metrics instanceof StatementMetrics ? metrics : undefined)
  })
}

const keep = (made: unknown, above: Function, metrics: StatementMetrics | undefined): void => {
  if (!Effect.isEffect(made)) return
  install(made)
  if (metrics !== undefined) Reflect.set(made, timer, metrics)
  Reflect.set(made, site, capture(above))
}

/** The client, whose statements know where they were written, whose errors carry them, and which are measured. */
export const traced = <Client extends SqlClient.SqlClient>(client: Client, metrics?: StatementMetrics): Client => {
  const plain = client.unsafe
  const unsafe: SqlClient.SqlClient["unsafe"] = <A extends object>(text: string, params?: ReadonlyArray<unknown>) => {
    const made = plain<A>(text, params)
    keep(made, unsafe, metrics)
    return made
  }
  const apply = (target: Client, self: unknown, given: Array<unknown>): unknown => {
    const made: unknown = Reflect.apply(target, self, given)
    keep(made, apply, metrics)
    return made
  }
  return new Proxy(Object.assign(client, { unsafe }), { apply })
}
