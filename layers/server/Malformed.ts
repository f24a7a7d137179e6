// Answers to what is not HTTP: a short text, then the connection is closed.
import type { Duplex } from "node:stream"
import * as Status from "../../src/http/Status.ts"

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

/** For node's `clientError`: the parser gave up, so there is no request to answer through the routes. */
export const refuse = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statuses[error.code ?? ""] ?? 400
  const text = Status.text(status)
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\n` +
      `X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n${text}`
  )
}
