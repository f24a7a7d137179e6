// The end of a worker that nobody asked to end.
import { Data } from "effect"

export class Death extends Data.TaggedClass("Death")<{
  readonly pid: number
  readonly code: number | undefined
  readonly signal: string | undefined
}> {
  override toString(): string {
    const how = this.signal === undefined ? `with exit code ${this.code ?? "unknown"}` : `by signal ${this.signal}`
    return `worker ${this.pid} died ${how}`
  }
}
