// The part of the PostgreSQL driver that is used here; the driver comes without types.
declare module "pg" {
  type Callback = (...results: ReadonlyArray<unknown>) => void

  class Client {
    readonly connection: { readonly stream: { readonly destroy: (error: Error) => unknown } }
    query(...given: ReadonlyArray<unknown>): unknown
  }

  class Pool {
    constructor(options: Readonly<Record<string, unknown>>)
    readonly totalCount: number
    readonly idleCount: number
    readonly waitingCount: number
    on(event: "error", listener: (error: Error) => void): this
    query(text: string): Promise<unknown>
    end(): Promise<void>
  }
}
