// Not ready when queued e-mails wait too long: no worker sends them.
import { Duration, Effect, Layer } from "effect"
import { MailQueue } from "../../src/mail/MailQueue.ts"
import * as HealthChecks from "../../src/observability/HealthChecks.ts"

/** How long a queued e-mail may be ready before a worker takes it. */
export interface Options {
  /** 15 minutes. */
  readonly maxAge?: Duration.DurationInput
}

const defaultMaxAge = "15 minutes"

/** Adds the check `mail queue`. */
export const layer = ({ maxAge = defaultMaxAge }: Options = {}): Layer.Layer<
  never,
  never,
  HealthChecks.HealthChecks | MailQueue
> =>
  Layer.unwrapEffect(
    Effect.map(MailQueue, ({ oldestAge = Effect.succeed(Duration.zero) }) =>
      HealthChecks.add({
        name: "mail queue",
        check: Effect.flatMap(oldestAge, (age) =>
          Duration.lessThanOrEqualTo(age, maxAge)
            ? Effect.void
            : Effect.fail(`an e-mail has been ready for ${Math.round(Duration.toSeconds(age))} seconds`)
        )
      })
    )
  )
