// Work that runs after responses, for a test that waits for it.
import { Context, type Effect } from "effect"

/**
 * The work that runs after responses. `TestApp` provides it.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { expect, layer } from "@effect/vitest"
 * import { Effect, Ref } from "effect"
 * import { AfterResponse } from "effect-framework/http"
 * import { Respond } from "effect-framework/routes/session"
 * import { BackgroundWork, TestApp } from "effect-framework/testing"
 *
 * const poured = Ref.unsafeMake(0)
 * const pour = Effect.gen(function* () {
 *   const { run } = yield* AfterResponse.AfterResponse
 *   yield* run(Ref.update(poured, (cups) => cups + 1))
 *   return Respond.text("It is being poured.")
 * })
 *
 * layer(TestApp.layer([HttpLayerRouter.route("GET", "/pour", pour)]))("GET /pour", (it) => {
 *   it.effect("pours after its response", () =>
 *     Effect.gen(function* () {
 *       const guest = yield* TestApp.guest
 *       yield* guest.get("/pour")
 *       yield* Effect.flatMap(BackgroundWork.BackgroundWork, ({ idle }) => idle)
 *       expect(yield* poured).toBe(1)
 *     })
 *   )
 * })
 * ```
 */
export class BackgroundWork extends Context.Tag("effect-framework/testing/BackgroundWork")<
  BackgroundWork,
  {
    /** Waits until no work is running. */
    readonly idle: Effect.Effect<void>
  }
>() {}
