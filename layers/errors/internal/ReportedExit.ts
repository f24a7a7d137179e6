// How a worker tells its supervisor that it has reported the error that ends it, so that the error is not reported twice.
import { Effect } from "effect"

/** The exit status of a program that ends with an uncaught error. */
export const status = 255

const message = "effect-framework/errors/ReportedExit"

/** Tells the supervisor, if there is one; done when the message is on its way. */
export const tell: Effect.Effect<void> = Effect.async((resume) => {
  const done = () => resume(Effect.void)
  if (process.send === undefined || !process.connected) return done()
  process.send(message, undefined, undefined, done)
})

/** Whether a worker has sent this to say that it has reported its error. */
export const isTold = (received: unknown): boolean => received === message
