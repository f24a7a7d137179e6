import { describe, expect, it } from "@effect/vitest"
import { Cause, Console, Effect } from "effect"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as Sources from "../../../src/errors/Sources.ts"
import { Throwable } from "../../../src/errors/Throwable.ts"
import * as Throwables from "../../../src/errors/Throwables.ts"
import { requestStateOf } from "../../support/RequestStates.ts"

const error = new TypeError("<b>no tea</b>")
const red = "\u001B[1;97;41m"

describe("Throwables.render", () => {
  it.effect("has ANSI colors for a terminal, by default outside of a request", () =>
    Effect.gen(function* () {
      const text = yield* Throwables.render(error)
      expect(text).toContain(`${red} TypeError `)
      expect(text).toContain("<b>no tea</b>")
      expect(text).toMatch(/^ {2}at /m)
      expect(yield* Throwables.render(error, { target: "cli" })).toBe(text)
    }).pipe(Effect.provide(Sources.layerNone))
  )

  it.effect("is escaped HTML without colors on request, and by default inside of a request", () =>
    Effect.gen(function* () {
      const text = yield* Throwables.render(error, { target: "html" })
      expect(text).toMatch(/^<pre>[^]*&lt;b&gt;no tea&lt;\/b&gt;[^]*<\/pre>$/)
      expect(text).not.toContain("\u001B")
      expect(yield* Effect.provideService(Throwables.render(error), RequestState, requestStateOf())).toBe(text)
    }).pipe(Effect.provide(Sources.layerNone))
  )

  it.effect("shows class and message alone at verbosity 1", () =>
    Effect.gen(function* () {
      const text = yield* Throwables.render(error, { verbosity: 1 })
      expect(text).toContain("no tea")
      expect(text).not.toMatch(/^ {2}at /m)
    }).pipe(Effect.provide(Sources.layerNone))
  )

  it.effect("is the same for a value, its cause and its throwable", () =>
    Effect.gen(function* () {
      const text = yield* Throwables.render(error)
      expect(yield* Throwables.render(Cause.die(error))).toBe(text)
      expect(yield* Throwables.render(new Throwable(error))).toBe(text)
    }).pipe(Effect.provide(Sources.layerNone))
  )
})

describe("Throwables.report", () => {
  it.effect("prints what render returns to standard error", () =>
    Effect.gen(function* () {
      const printed: Array<unknown> = []
      const console = yield* Console.consoleWith(Effect.succeed)
      const recording = { ...console, error: (text: unknown) => Effect.sync(() => void printed.push(text)) }
      yield* Console.withConsole(Throwables.report(error), recording)
      expect(printed).toEqual([yield* Throwables.render(error)])
    }).pipe(Effect.provide(Sources.layerNone))
  )
})

describe("Throwables.page", () => {
  it.effect("is a document with the context as tables, escaped and without secrets", () =>
    Effect.gen(function* () {
      const page = yield* Throwables.page(error, { Order: { cup: "<blue>", password: "hunter2" } }, "n0nce")
      expect(page).toMatch(/^<!doctype html>/)
      expect(page).toContain("&lt;b&gt;no tea&lt;/b&gt;</h1>")
      expect(page).toContain("<h3>Order</h3>")
      expect(page).toContain("&lt;blue&gt;")
      expect(page).not.toContain("hunter2")
      expect(page).toContain('<script nonce="n0nce">')
      expect(page).not.toMatch(/\b(?:src|href)="https?:/)
    }).pipe(Effect.provide(Sources.layerNone))
  )
})
