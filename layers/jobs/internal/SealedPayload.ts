// Payloads with secrets, sealed with the keys of the program: the row, its copies and its backups tell nothing of them.
import type { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import type { NewJob } from "../../../src/jobs/Jobs.ts"
import type * as Tables from "../../database/Tables.ts"
import * as SealingKeys from "../../session/internal/SealingKeys.ts"

/** What a job stores of its payload, and the number of the key that opens it. */
export interface Stored {
  readonly payload: string
  readonly key?: number
}

/** A payload of a job of this name. */
interface Named {
  readonly name: string
  readonly payload: string
}

// No JSON begins with it: a payload that was stored before its schema had secrets is read as it is.
const mark = "sealed."

// The name, so that no text opens as the payload of another job.
const contextOf = (name: string): string => `job\0${name}`

export const make: (tables: Tables.Tables) => Effect.Effect<
  {
    /** What is stored of each of them. */
    readonly seal: (jobs: ReadonlyArray<NewJob>) => Effect.Effect<ReadonlyArray<Stored>>
    /** The payload as it was enqueued. What no key opens stays as it is, and cannot be read. */
    readonly open: (stored: Named) => Effect.Effect<string>
  },
  never,
  SqlClient.SqlClient
> = Effect.fnUntraced(function* (tables) {
  const keys = yield* SealingKeys.make(tables)
  const sealOne = ({ hasSecrets = false, name, payload }: NewJob): Effect.Effect<Stored> =>
    hasSecrets
      ? Effect.map(keys.seal(payload, contextOf(name)), ({ key, text }) => ({ payload: mark + text, key }))
      : Effect.succeed({ payload })
  return {
    // Thousands without secrets are no effect each.
    seal: (jobs) => (jobs.some(({ hasSecrets }) => hasSecrets) ? Effect.forEach(jobs, sealOne) : Effect.succeed(jobs)),
    open: ({ name, payload }) =>
      payload.startsWith(mark)
        ? Effect.map(
            keys.unseal(payload.slice(mark.length), contextOf(name)),
            Option.getOrElse(() => payload)
          )
        : Effect.succeed(payload)
  }
})
