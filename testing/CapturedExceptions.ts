// The exceptions that a program reported during a test.
import { Context, type Effect } from "effect"
import type { Throwable } from "../src/errors/Throwable.ts"

/** The exceptions that were reported during the test: why a response was a 500. `TestApp` provides it. */
export class CapturedExceptions extends Context.Tag("effect-framework/testing/CapturedExceptions")<
  CapturedExceptions,
  {
    /** The exceptions so far, oldest first. */
    readonly reported: Effect.Effect<ReadonlyArray<Throwable>>
  }
>() {}
