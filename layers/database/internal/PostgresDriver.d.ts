// The part of the PostgreSQL driver that is used here; the driver comes without types.
declare module "pg" {
  type Callback = (...results: ReadonlyArray<unknown>) => void

  class Client {
    readonly connection: { readonly stream: { readonly destroy: (error: Error) => unknown } }
    query(...given: ReadonlyArray<unknown>): unknown
  }

  /** The connection of a client: the messages of PostgreSQL's protocol. */
  interface Connection {
    readonly stream: { readonly cork: () => void; readonly uncork: () => void }
    /** By name: the statements that the server has parsed for this connection. */
    readonly parsedStatements: Readonly<Record<string, string | undefined>>
    parse(message: { readonly name: string | undefined; readonly text: string }): void
    bind(message: {
      readonly statement: string | undefined
      readonly values: ReadonlyArray<unknown>
      readonly valueMapper: (value: unknown) => unknown
    }): void
    describe(message: { readonly type: "P"; readonly name: string }): void
    execute(message: {}): void
    sync(): void
    sendCopyFail(reason: string): void
  }

  interface Described {
    readonly fields: ReadonlyArray<{ readonly name: string; readonly dataTypeID: number }>
  }

  /** A query that speaks to the connection itself. */
  interface Submittable {
    readonly name: string | undefined
    readonly text: string
    submit(connection: Connection): Error | null
    handleRowDescription(message: Described): void
    handleDataRow(message: { readonly fields: ReadonlyArray<string | null> }): void
    handleCommandComplete(): void
    handleReadyForQuery(): void
    handleError(error: Error): void
    handleEmptyQuery(): void
    handlePortalSuspended(): void
    handleCopyInResponse(connection: Connection): void
    handleCopyData(): void
  }

  /** A connection that is taken out of a pool. */
  interface PoolClient {
    /** The number that the other end gave the connection when it was made. */
    readonly processID: number | null
    query(text: string): Promise<{ readonly rows: ReadonlyArray<Readonly<Record<string, unknown>>> }>
    query(query: Submittable, done: (error: Error | null) => void): void
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

declare module "pg/lib/utils.js" {
  /** A parameter as the protocol sends it. */
  const prepareValue: (value: unknown) => unknown
}
