// The life of jobs as a pure model: what each statement of the store does to the rows, and nothing else.
import { lease as leaseTime } from "../../../src/jobs/internal/Defaults.ts"
import { Duration } from "effect"
import type { Outcome } from "../../../src/jobs/internal/JobRules.ts"

export const kinds = ["plain", "once", "latest", "exact"] as const
export type Kind = (typeof kinds)[number]

export interface Item {
  readonly number: number
  readonly key: number
}

/** A row as the model has it; its `number` is that of the last payload. */
export interface Row {
  readonly kind: Kind
  readonly number: number
  readonly key: number
  readonly state: string
  readonly attempts: number
  readonly due: number
  /** Who holds it: the number of the claim. */
  readonly holder: number | undefined
  readonly isKeyTaken: boolean
  /** It has lost its key by its start, and has it again if it is given back. */
  readonly hasStartedKey: boolean
  readonly isErased: boolean
}

/** What a worker remembers of a claim. */
export interface Held {
  readonly row: number
  readonly claim: number
}

const ended = new Set(["done", "failed", "discarded", "cancelled"])
const isLive = ({ state }: Row) => !ended.has(state)
const leased = Duration.toMillis(leaseTime)

/** The rows by their place, and what transactional handlers have written. */
export class JobModel {
  rows: ReadonlyArray<Row> = []
  written: ReadonlyArray<number> = []

  #change(which: (row: Row, at: number) => boolean, change: (row: Row) => Partial<Row>): ReadonlyArray<number> {
    const places = this.rows.flatMap((row, at) => (which(row, at) ? [at] : []))
    this.rows = this.rows.map((row, at) => (places.includes(at) ? { ...row, ...change(row) } : row))
    return places
  }

  readonly #isHeld = (row: Row, at: number, { claim, row: held }: Held) =>
    at === held && row.state === "running" && row.holder === claim

  #isTaken({ key, kind }: Row): boolean {
    return this.rows.some((row) => row.isKeyTaken && row.kind === kind && row.key === key && isLive(row))
  }

  /** Whether a row is there for it. */
  insert(kind: Kind, { key, number }: Item, now: number, delay: number): boolean {
    const fresh = {
      kind,
      number,
      key,
      state: delay > 0 ? "waiting" : "ready",
      attempts: 0,
      due: now + delay,
      holder: undefined,
      isKeyTaken: kind === "once" || kind === "latest",
      hasStartedKey: false,
      isErased: false
    }
    const same = (row: Row) => fresh.isKeyTaken && row.kind === kind && row.key === key && row.isKeyTaken && isLive(row)
    const before = this.rows.find(same)
    if (before === undefined) this.rows = [...this.rows, fresh]
    else if (kind === "once" || before.state === "running") return false
    else this.#change(same, () => ({ ...fresh }))
    return true
  }

  /** The places of what is claimed, in no order. */
  claim(most: number, claim: number, now: number, order: (places: ReadonlyArray<number>) => ReadonlyArray<number>) {
    const ready = this.rows.flatMap(({ state }, at) => (state === "ready" ? [at] : []))
    const picked = new Set(order(ready).slice(0, most))
    return this.#change(
      (_, at) => picked.has(at),
      ({ attempts, kind, isKeyTaken }) => ({
        state: "running",
        holder: claim,
        due: now + leased,
        attempts: attempts + 1,
        isKeyTaken: isKeyTaken && kind !== "latest",
        hasStartedKey: isKeyTaken && kind === "latest"
      })
    )
  }

  promote(from: "waiting" | "running", now: number) {
    this.#change(
      ({ due, state }) => state === from && due <= now,
      () => ({ state: "ready", holder: undefined })
    )
  }

  /** The places of those that are still held. */
  renew(held: ReadonlyArray<Held>, now: number) {
    return this.#change(
      (row, at) => held.some((one) => this.#isHeld(row, at, one)),
      () => ({ due: now + leased })
    )
  }

  /** Whether it was still held. */
  settle(held: Held, outcome: Outcome, erase: boolean, now: number): boolean {
    const givenBack = (row: Row) => ({
      state: "waiting",
      attempts: row.attempts - 1,
      isKeyTaken: row.isKeyTaken || (row.hasStartedKey && !this.#isTaken(row))
    })
    const after = (row: Row): Partial<Row> => {
      switch (outcome._tag) {
        case "Done":
          return { state: "done", ...(erase && { isErased: true }) }
        case "Retried":
          return { state: "waiting", due: outcome.due }
        case "Snoozed":
          return { ...givenBack(row), due: outcome.due }
        case "Released":
          return { ...givenBack(row), due: now }
        default:
          return { state: outcome._tag.toLowerCase() }
      }
    }
    const change = (row: Row) => ({ ...after(row), holder: undefined })
    return this.#change((row, at) => this.#isHeld(row, at, held), change).length > 0
  }

  /** Ends a job with what its handler writes, or neither. */
  perform(held: Held, now: number): boolean {
    const number = this.rows[held.row]?.number ?? -1
    const isDone = this.settle(held, { _tag: "Done" }, false, now)
    if (isDone) this.written = [...this.written, number]
    return isDone
  }

  cancel(place: number): boolean {
    const isOpen = ({ state }: Row, at: number) => at === place && (state === "waiting" || state === "ready")
    return this.#change(isOpen, () => ({ state: "cancelled" })).length > 0
  }

  retry(place: number, now: number): boolean {
    const isEnded = (row: Row, at: number) =>
      at === place &&
      ended.has(row.state) &&
      row.state !== "done" &&
      !row.isErased &&
      !(row.isKeyTaken && this.#isTaken(row))
    return this.#change(isEnded, () => ({ state: "ready", due: now, attempts: 0 })).length > 0
  }
}
