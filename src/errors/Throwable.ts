// Any cause and any thrown value as one thing that can be shown.
export interface Throwable {
  /** What was thrown, out of the wrapper that Effect puts around it. */
  readonly value: unknown
  readonly class: string
  readonly message: string
}
