// Random bytes from the operating system.
import { Layer } from "effect"
import { randomBytes } from "node:crypto"
import { Entropy } from "../../src/auth/Secret.ts"

/** Cryptographically secure random bytes. */
export const layer: Layer.Layer<Entropy> = Layer.succeed(Entropy, { bytes: (size) => randomBytes(size) })
