// Chance from the operating system.
import { Layer } from "effect"
import { randomBytes } from "node:crypto"
import { Entropy } from "../../src/auth/Secret.ts"

/** Random bytes that nobody can predict. */
export const layer: Layer.Layer<Entropy> = Layer.succeed(Entropy, { bytes: (size) => randomBytes(size) })
