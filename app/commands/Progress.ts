// A progress line: rewritten in place on a terminal, printed every ten seconds into a log.
import { Effect, Ref, Schedule } from "effect"

export interface Screen {
  readonly isTerminal: boolean
  readonly write: (text: string) => void
}

/** Standard error: standard output is for what other programs read. */
export const standard: Screen = {
  isTerminal: process.stderr.isTTY === true,
  write: (text) => void process.stderr.write(text)
}

/** Prints `line` while `work` runs, and once more when it ends or is interrupted. */
export const during = <A, E, R, R2>(
  work: Effect.Effect<A, E, R>,
  line: Effect.Effect<string, never, R2>,
  screen: Screen = standard
): Effect.Effect<A, E, R | R2> =>
  Effect.gen(function* () {
    const shown = yield* Ref.make("")
    const paint = Effect.flatMap(line, (text) =>
      Effect.whenEffect(
        Effect.sync(() => screen.write(screen.isTerminal ? `\r\x1b[2K${text}` : `${text}\n`)),
        Effect.map(Ref.getAndSet(shown, text), (before) => before !== text)
      )
    )
    const beat = Schedule.spaced(screen.isTerminal ? "200 millis" : "10 seconds")
    const end = Effect.andThen(
      paint,
      Effect.sync(() => screen.isTerminal && screen.write("\n"))
    )
    return yield* Effect.scoped(Effect.andThen(Effect.forkScoped(Effect.repeat(paint, beat)), work)).pipe(
      Effect.ensuring(end)
    )
  })
