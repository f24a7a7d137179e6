// The part of the PostgreSQL driver that is used here; the driver comes without types.
declare module "pg" {
  type Callback = (...results: ReadonlyArray<unknown>) => void

  class Client {
    readonly connection: { readonly stream: { readonly destroy: (error: Error) => unknown } }
    query(...given: ReadonlyArray<unknown>): unknown
  }

  /** How a connection is encrypted: not at all, by the defaults of Node.js, or by these options of its `tls.connect`. */
  type Encryption = boolean | Readonly<Record<string, unknown>>

  /** The connection of a client: the messages of PostgreSQL's protocol. */
  class Connection {
    constructor(options: { readonly ssl: Encryption; readonly sslNegotiation: string })
    readonly stream: { readonly cork: () => void; readonly uncork: () => void; readonly destroy: () => unknown }
    connect(port: number | string, host?: string): void
    requestSsl(): void
    cancel(processID: number | null, secretKey: number | null): void
    on(event: "error", listener: (error: Error) => void): this
    once(event: "connect" | "sslconnect" | "end", listener: () => void): this
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
    /** What the other end accepts as a proof that a request to cancel comes from here. */
    readonly secretKey: number | null
    readonly host: string
    readonly port: number
    readonly ssl: Encryption
    readonly sslNegotiation: string
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
    on(event: "connect" | "remove", listener: (client: PoolClient) => void): this
    connect(): Promise<PoolClient>
    connect(taken: (error: Error | undefined, client: PoolClient | undefined) => void): void
    query(...given: ReadonlyArray<unknown>): unknown
    end(): Promise<void>
  }
}

declare module "pg/lib/utils.js" {
  /** A parameter as the protocol sends it. */
  const prepareValue: (value: unknown) => unknown
}
