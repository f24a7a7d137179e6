// The 49,000 most common passwords of leaked lists, loaded when the first password is chosen, and the corpus of leaked ones.
import { Effect, Layer, Option, Redacted } from "effect"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { RefusedPasswords, type Refusal } from "../../../src/auth/RefusedPasswords.ts"

// Some megabytes and a tenth of a second: a worker that sees no new password does without.
const load = Effect.map(
  Effect.promise(() => import("@zxcvbn-ts/language-common")),
  // In a bundle a CommonJS module may have a default export alone.
  (module): ReadonlySet<string> => new Set((module.dictionary ?? module.default.dictionary)["passwords-common"])
)

// Longer than every listed password.
const longest = 64

/** The list, and the corpus where `AUTH_BREACHED_PASSWORDS` is set. */
export const layer: Layer.Layer<RefusedPasswords, never, AuthConfig> = Layer.effect(
  RefusedPasswords,
  Effect.gen(function* () {
    const { breachedPasswords } = yield* AuthConfig
    const list = yield* Effect.cached(load)
    // Only where it is asked: a client for TLS takes memory in every worker.
    const leaked = breachedPasswords ? yield* Effect.promise(() => import("./BreachCorpus.ts")) : undefined

    const find = Effect.fn("RefusedPasswords.find")(function* (password: Redacted.Redacted) {
      const text = Redacted.value(password).toLowerCase()
      if (text.length <= longest && (yield* list).has(text)) return Option.some<Refusal>("Common")
      if (leaked === undefined) return Option.none<Refusal>()
      return (yield* leaked.contained(password)) ? Option.some<Refusal>("Breached") : Option.none()
    })

    return RefusedPasswords.of({ find })
  })
)
