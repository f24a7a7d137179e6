import { describe, expect, it } from "@effect/vitest"
import { Effect, ExecutionStrategy, Exit, Scope } from "effect"
import * as RequestScope from "../../../layers/server/RequestScope.ts"

describe("The scope of a request", () => {
  it("is another one each time", () => {
    expect(new Set(Array.from({ length: 200 }, RequestScope.make)).size).toBe(200)
  })

  it("needs no effect to be closed while it has no finalizers, and runs a late one at once", () => {
    const scope = RequestScope.make()
    expect(RequestScope.close(scope, Exit.succeed("sent"))).toBeUndefined()
    const seen: Array<unknown> = []
    Effect.runSync(Scope.addFinalizerExit(scope, (exit) => Effect.sync(() => seen.push(exit))))
    expect(seen).toEqual([Exit.succeed("sent")])
  })

  it("runs its finalizers in reverse order, with the exit, once", () => {
    const scope = RequestScope.make()
    const seen: Array<unknown> = []
    for (const name of ["first", "second"]) {
      Effect.runSync(Scope.addFinalizerExit(scope, (exit) => Effect.sync(() => seen.push([name, exit]))))
    }
    const close = () => Effect.runSync(RequestScope.close(scope, Exit.fail("gone")) ?? Effect.void)
    close()
    close()
    expect(seen).toEqual([
      ["second", Exit.fail("gone")],
      ["first", Exit.fail("gone")]
    ])
  })

  it("closes the scopes that were forked from it", () => {
    const scope = RequestScope.make()
    const child = Effect.runSync(Scope.fork(scope, ExecutionStrategy.sequential))
    let isClosed = false
    Effect.runSync(
      Scope.addFinalizer(
        child,
        Effect.sync(() => void (isClosed = true))
      )
    )
    Effect.runSync(RequestScope.close(scope, Exit.void) ?? Effect.void)
    expect(isClosed).toBe(true)
  })
})
