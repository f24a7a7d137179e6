import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Logger, Scope } from "effect"
import * as RequestEvents from "../../../src/observability/RequestEvents.ts"

const received = { id: "1", method: "GET", at: 1 }
const handled = { id: "1", at: 0, method: "GET", route: "/", status: 200, duration: 0.1, aborted: false }

describe("request events", () => {
  it.effect("have a listener only while its scope is open", () =>
    Effect.gen(function* () {
      const events = yield* RequestEvents.RequestEvents
      const heard: Array<unknown> = []
      expect(events.listening).toBe(false)
      events.received(received)
      const scope = yield* Scope.make()
      yield* Scope.extend(
        events.listen({ received: (event) => heard.push(event), handled: (event) => heard.push(event) }),
        scope
      )
      expect(events.listening).toBe(true)
      events.received(received)
      events.handled(handled)
      yield* Scope.close(scope, Exit.void)
      expect(events.listening).toBe(false)
      events.handled(handled)
      expect(heard).toEqual([received, handled])
    }).pipe(Effect.provide(RequestEvents.layer))
  )

  it.scoped("reach every listener, though one throws, and warn about it once", () =>
    Effect.gen(function* () {
      const warnings: Array<unknown> = []
      const logger = Logger.make(({ logLevel, message }) => warnings.push([logLevel.label, message]))
      const events = yield* RequestEvents.RequestEvents
      let heard = 0
      const fail = () => {
        throw new Error("broken")
      }
      yield* Effect.gen(function* () {
        yield* events.listen({ received: fail, handled: fail })
        yield* events.listen({ received: () => heard++, handled: () => heard++ })
      }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      for (let round = 0; round < 3; round++) {
        events.received(received)
        events.handled(handled)
      }
      yield* Effect.yieldNow()
      expect(heard).toBe(6)
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toMatchObject([
        "WARN",
        [expect.stringContaining("A request listener threw"), expect.any(Error)]
      ])
    }).pipe(Effect.provide(RequestEvents.layer))
  )

  it.scoped("reach a listener that unsubscribes while it is called", () =>
    Effect.gen(function* () {
      const events = yield* RequestEvents.RequestEvents
      const scope = yield* Scope.make()
      const heard: Array<string> = []
      yield* Scope.extend(
        events.listen({
          received: () => {
            heard.push("first")
            Effect.runSync(Scope.close(scope, Exit.void))
          }
        }),
        scope
      )
      yield* events.listen({ received: () => heard.push("second") })
      events.received(received)
      events.received(received)
      expect(heard).toEqual(["first", "second", "second"])
    }).pipe(Effect.provide(RequestEvents.layer))
  )
})
