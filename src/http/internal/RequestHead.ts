// The head of a request, as any server has it.

/** The parts of a request from which a server opens its exchange. */
export interface RequestHead {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly remoteAddress: string | undefined
  readonly route: string
  /** When it arrived, if not now: it is begun at the end of its turn, or after the response before its own. */
  readonly arrived?: number | undefined
}
