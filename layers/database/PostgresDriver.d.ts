// The part of the PostgreSQL driver that is used here; the driver comes without types.
declare module "pg" {
  type Callback = (...results: ReadonlyArray<unknown>) => void

  class Client {
    readonly connection: { readonly stream: { readonly destroy: (error: Error) => unknown } }
    query(...given: ReadonlyArray<unknown>): unknown
  }

  interface Query {
    readonly text: string
    readonly values: ReadonlyArray<unknown>
    /** A connection parses and plans a statement with a name once. */
    readonly name: string | undefined
    readonly rowMode?: "array"
  }

  interface Result {
    readonly rows: ReadonlyArray<unknown>
  }

  /** A connection that is taken out of a pool. */
  interface PoolClient {
    /** The number that the other end gave the connection when it was made. */
    readonly processID: number | null
    query(text: string): Promise<{ readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>> }>
    query(query: Query, done: (error: Error | null, result: Result) => void): void
    once(event: "error", listener: () => void): this
    removeListener(event: "error", listener: () => void): this
    /** `true` closes the connection. */
    release(broken?: boolean): void
  }

  class Pool {
    constructor(options: Readonly<Record<string, unknown>>)
    readonly totalCount: number
    readonly idleCount: number
    readonly waitingCount: number
    on(event: "error", listener: (error: Error) => void): this
    connect(): Promise<PoolClient>
    connect(taken: (error: Error | undefined, client: PoolClient | undefined) => void): void
    query(text: string, values: ReadonlyArray<unknown>, done: () => void): void
    end(): Promise<void>
  }
}
