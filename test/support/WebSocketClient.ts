// A WebSocket client of the `ws` package: what it receives, how it was closed, or the response that refused it.
import { Effect, type Scope } from "effect"
import type * as Http from "node:http"
import { WebSocket } from "ws"

export interface WebSocketClient {
  /** 101, or the status of the refusal. */
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  /** The body of the refusal. */
  readonly body: string
  readonly socket: WebSocket
  readonly send: (data: string | Uint8Array) => void
  /** The next message that was not taken yet; `undefined` when the socket has closed. */
  readonly next: Effect.Effect<string | undefined>
  /** Completes with the code and the reason. */
  readonly closed: Effect.Effect<readonly [code: number, reason: string]>
}

const make = (url: string, headers: Readonly<Record<string, string>>): Promise<WebSocketClient> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace("http", "ws"), { headers, perMessageDeflate: true })
    const messages: Array<string> = []
    const waiting: Array<(message: string | undefined) => void> = []
    let isClosed = false
    let head: Http.IncomingHttpHeaders = {}
    const closed = new Promise<readonly [number, string]>((done) => {
      socket.on("close", (code, reason) => {
        isClosed = true
        for (const take of waiting.splice(0)) take(undefined)
        done([code, reason.toString()])
      })
    })
    socket.on("message", (data, isBinary) => {
      const text = isBinary ? `binary ${String(data)}` : String(data)
      const take = waiting.shift()
      if (take === undefined) messages.push(text)
      else take(text)
    })
    const next = Effect.promise(() => {
      const message = messages.shift()
      if (message !== undefined || isClosed) return Promise.resolve(message)
      return new Promise<string | undefined>((take) => waiting.push(take))
    })
    const client = {
      socket,
      next,
      closed: Effect.promise(() => closed),
      send: (data: string | Uint8Array) => socket.send(data)
    }
    socket.on("error", (error) => (head === undefined ? reject(error) : undefined))
    socket.on("upgrade", (response) => {
      head = response.headers
    })
    socket.on("open", () => resolve({ ...client, status: 101, headers: head, body: "" }))
    socket.on("unexpected-response", (_, response) => {
      let body = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk
      })
      response.on("close", () => {
        resolve({ ...client, status: response.statusCode ?? 0, headers: response.headers, body })
      })
    })
  })

/** Connects; the connection is cut with the scope. */
export const open = (
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<WebSocketClient, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => make(url, headers)),
    ({ socket }) => Effect.sync(() => socket.terminate())
  )

/** The bytes of a handshake. */
export const handshake = (path: string, lines: ReadonlyArray<string> = []): string =>
  [
    `GET ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...lines,
    "",
    ""
  ].join("\r\n")
