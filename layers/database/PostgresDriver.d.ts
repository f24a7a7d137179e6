// The part of the PostgreSQL driver that is used here; the driver comes without types.
declare module "pg" {
  type Callback = (...results: ReadonlyArray<unknown>) => void

  class Client {
    readonly connection: { readonly stream: { readonly destroy: (error: Error) => unknown } }
    query(...given: ReadonlyArray<unknown>): unknown
  }

  /** A connection that is taken out of a pool. */
  interface PoolClient {
    /** The number that the other end gave the connection when it was made. */
    readonly processID: number | null
    query(text: string): Promise<{ readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>> }>
    release(error?: boolean): void
  }

  class Pool {
    constructor(options: Readonly<Record<string, unknown>>)
    readonly totalCount: number
    readonly idleCount: number
    readonly waitingCount: number
    on(event: "error", listener: (error: Error) => void): this
    connect(): Promise<PoolClient>
    end(): Promise<void>
  }
}
