// Random bytes from the operating system, fetched for many tokens at once: a call for each takes one twentieth of the time
// of an account page.
import { Layer } from "effect"
import { randomBytes, randomFillSync } from "node:crypto"
import { Entropy } from "../../src/session/Secret.ts"

const capacity = 4096
// More than this is fetched by itself.
const most = 256

const make = () => {
  const fetched = new Uint8Array(capacity)
  let next = capacity
  return (size: number): Uint8Array => {
    if (size > most) return randomBytes(size)
    if (next + size > capacity) {
      randomFillSync(fetched)
      next = 0
    }
    const bytes = fetched.slice(next, next + size)
    // What is given out is kept nowhere else, and is not given out again.
    fetched.fill(0, next, next + size)
    next += size
    return bytes
  }
}

/** Cryptographically secure random bytes. */
export const layer: Layer.Layer<Entropy> = Layer.sync(Entropy, () => ({ bytes: make() }))
