// What the worker asks of the store: claims under a lease, their renewal and their end.
import { Context, type Effect, type Option, type Scope } from "effect"
import type { Outcome } from "./JobRules.ts"
import type { NewJob } from "../Jobs.ts"

/** A job that belongs to this worker until its lease ends. */
export interface Claim {
  readonly id: string
  /** Proves the lease. */
  readonly lease: string
  readonly name: string
  readonly payload: string
  /** This one included. */
  readonly attempts: number
  /** The attempt before this one was lost with its worker. */
  readonly isAfterLoss: boolean
  readonly traceparent: string | undefined
}

/** A claim with what became of it. */
export interface Settled {
  readonly claim: Claim
  readonly outcome: Outcome
  readonly erase: boolean
}

/** What a look has found. */
export interface Work {
  readonly isReady: boolean
  /** When the next job is due that is not ready yet, or the next lease ends; infinity for neither. */
  readonly due: number
}

/** The queue as a worker needs it. `SqlJobs.layer` provides it. */
export class JobStore extends Context.Tag("effect-framework/jobs/JobStore")<
  JobStore,
  {
    /** Leases ready jobs of a queue by priority and age. At most `fleet` jobs of the queue run at once anywhere. */
    readonly claim: (queue: string, most: number, fleet?: number) => Effect.Effect<ReadonlyArray<Claim>>
    /** Makes ready what was delayed and is due, and what a lost worker held. */
    readonly promote: Effect.Effect<number>
    /** The payload of a claim as it was enqueued: opened where it is sealed. */
    readonly open: (claim: Pick<Claim, "name" | "payload">) => Effect.Effect<string>
    /** Prolongs the leases; the ids of those that are lost. */
    readonly renew: (claims: ReadonlyArray<Claim>) => Effect.Effect<ReadonlyArray<string>>
    /** Ends or returns what this worker holds; the ids of those that it no longer held, which stay as they are. */
    readonly settle: (settled: ReadonlyArray<Settled>) => Effect.Effect<ReadonlyArray<string>>
    /** Runs an attempt and its end in one transaction. Rolls back and fails when the lease is lost. */
    readonly transactional: <A, E>(claim: Claim, erase: boolean, attempt: Effect.Effect<A, E>) => Effect.Effect<A, E>
    /** The last tick of a periodic job that was enqueued. */
    readonly lastTick: (name: string) => Effect.Effect<Option.Option<number>>
    /** Remembers the tick and stores its jobs, in one transaction; `false` if this or a later one was there already. */
    readonly tick: (name: string, at: number, jobs: ReadonlyArray<NewJob>) => Effect.Effect<boolean>
    /** What there is to do in these queues: it changes nothing, and costs less than a claim that finds nothing. */
    readonly look: (queues: ReadonlyArray<string>) => Effect.Effect<Work>
    /** The payloads of the jobs of this name that have not ended, the oldest first. */
    readonly payloads: (name: string) => Effect.Effect<ReadonlyArray<string>>
    /** Hears of what other processes enqueue, until the scope closes. */
    readonly listen: Effect.Effect<void, never, Scope.Scope>
    /** Ends when something was enqueued, with `true`; when that cannot be told, and now and then by real time, with `false`. */
    readonly changed: Effect.Effect<boolean>
  }
>() {}
