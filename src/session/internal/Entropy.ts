// Random bytes from the operating system, fetched for many tokens at once: a call for each takes one twentieth of the time
// of an account page.
import { Context } from "effect"

const capacity = 4096
// More than this is fetched by itself.
const most = 256

const make = () => {
  const fetched = new Uint8Array(capacity)
  let next = capacity
  return (size: number): Uint8Array => {
    if (size > most) return crypto.getRandomValues(new Uint8Array(size))
    if (next + size > capacity) {
      crypto.getRandomValues(fetched)
      next = 0
    }
    const bytes = fetched.slice(next, next + size)
    // What is given out is kept nowhere else, and is not given out again.
    fetched.fill(0, next, next + size)
    next += size
    return bytes
  }
}

/** Cryptographically secure random bytes. A reference, so that a test can fix them. */
export class Entropy extends Context.Reference<Entropy>()("effect-framework/session/Entropy", {
  defaultValue: (): { readonly bytes: (size: number) => Uint8Array } => ({ bytes: make() })
}) {}
