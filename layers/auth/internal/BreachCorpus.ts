// The corpus of leaked passwords of haveibeenpwned.com, asked by k-anonymity: it learns five of forty hexadecimal digits of a
// digest, and the padding hides the size of its answer.
import { Data, Effect, Metric, Option, Redacted } from "effect"
import { createHash } from "node:crypto"
import * as GuardedFetch from "./providers/GuardedFetch.ts"

/** The lookups in the corpus that failed; the password was then accepted. */
export const failedLookups = Metric.counter("auth_breach_lookup_failures_total", {
  description: "Passwords that were accepted because the corpus of leaked ones could not be read",
  incremental: true
})

/** Where the corpus is, and how long and how much of an answer is waited for. */
interface Options {
  readonly url?: string
  /** Milliseconds. */
  readonly timeout?: number
  /** Bytes; an answer has some 40,000. */
  readonly maxBytes?: number
}

const standard = { url: "https://api.pwnedpasswords.com", timeout: 1000, maxBytes: 1024 * 1024 }

class UnreadableCorpus extends Data.TaggedError("UnreadableCorpus")<{ readonly reason: string }> {}

const headers = { "add-padding": "true", "user-agent": "effect-framework" }

const read = (url: URL, bounds: typeof standard): Effect.Effect<string, UnreadableCorpus> =>
  Effect.tryPromise({
    try: async (signal) => {
      const fetch = GuardedFetch.make(url.protocol === "http:" ? "loopback" : "private", bounds)
      const response = await fetch(url.href, { method: "GET", headers, signal })
      if (response.status !== 200) throw new Error(`it responds with ${response.status}`)
      return response.text()
    },
    catch: (error) => new UnreadableCorpus({ reason: error instanceof Error ? error.message : String(error) })
  })

const line = /^([0-9A-F]{35}):(\d{1,12})\r?$/

// A padded line counts 0: it is no password.
const contains = (text: string, suffix: string): Option.Option<boolean> => {
  const lines = text.split("\n").filter((one) => one.trim() !== "")
  let isFound = false
  for (const one of lines) {
    const [, digest, count] = line.exec(one) ?? []
    if (digest === undefined) return Option.none()
    if (digest === suffix && Number(count) > 0) isFound = true
  }
  return Option.some(isFound)
}

/** Whether the password has been leaked; `false` when the corpus cannot be read within a second, which is counted. */
export const contained = (password: Redacted.Redacted, options: Options = {}): Effect.Effect<boolean> =>
  Effect.suspend(() => {
    const given = { ...standard, ...options }
    const digest = createHash("sha1").update(Redacted.value(password)).digest("hex").toUpperCase()
    return read(new URL(`/range/${digest.slice(0, 5)}`, given.url), given).pipe(
      Effect.flatMap((text) =>
        Option.match(contains(text, digest.slice(5)), {
          onNone: () => new UnreadableCorpus({ reason: "the answer is malformed" }),
          onSome: Effect.succeed
        })
      ),
      Effect.catchTag("UnreadableCorpus", ({ reason }) =>
        Metric.increment(failedLookups).pipe(
          Effect.zipRight(Effect.logWarning(`The corpus of leaked passwords could not be read: ${reason}`)),
          Effect.as(false)
        )
      )
    )
  })
