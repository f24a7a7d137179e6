// Cancels a statement by the protocol's own request: process id and secret key, on a socket of its own. It needs no
// connection of the pool, so that it also works when abandoned statements hold all of them. A pooler passes it on.
import { Connection, Pool, type PoolClient } from "pg"

/** Milliseconds until a request that nobody takes is given up. */
const patience = 5000

/** Asks the server to end what this connection runs; `done` when the server has taken the request or cannot be reached. */
export const cancel = (
  { host, port, processID, secretKey, ssl, sslNegotiation }: PoolClient,
  done: () => void
): void => {
  const connection = new Connection({ ssl, sslNegotiation })
  const timer = setTimeout(() => connection.stream.destroy(), patience).unref()
  const send = () => connection.cancel(processID, secretKey)
  connection.once("connect", () => {
    if (ssl === false) send()
    else if (sslNegotiation !== "direct") connection.requestSsl()
  })
  connection.once("sslconnect", send)
  // A host that refuses the connection: the bound of the statement ends it.
  connection.on("error", () => connection.stream.destroy())
  connection.once("end", () => {
    clearTimeout(timer)
    done()
  })
  if (host.startsWith("/")) connection.connect(`${host}/.s.PGSQL.${port}`)
  else connection.connect(port, host)
}

// What Effect's client sends when the fiber of a statement is interrupted.
const request = /^SELECT pg_cancel_backend\((\d+)\)$/

/** A pool whose users cancel a statement by its process without waiting for a free connection. */
export class CancellingPool extends Pool {
  readonly #clients = new Map<number, PoolClient>()

  constructor(options: Readonly<Record<string, unknown>>) {
    super(options)
    this.on("connect", (client) => {
      if (client.processID !== null) this.#clients.set(client.processID, client)
    })
    this.on("remove", ({ processID }) => {
      if (processID !== null) this.#clients.delete(processID)
    })
  }

  override query(...given: ReadonlyArray<unknown>): unknown {
    const [text, done] = [given[0], given.at(-1)]
    const process = typeof text === "string" ? request.exec(text)?.[1] : undefined
    if (process === undefined || typeof done !== "function") return super.query(...given)
    const client = this.#clients.get(Number(process))
    return client === undefined ? done() : cancel(client, () => done())
  }
}
