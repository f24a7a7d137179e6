// The response to what is not HTTP: a short text, then the connection is closed.
import type * as Http from "node:http"
import * as Status from "../../src/http/Status.ts"

const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

/** The status for an error of node's `clientError`. */
export const statusOf = (error: NodeJS.ErrnoException): number => statuses[error.code ?? ""] ?? 400

const head = (text: string): Array<string> => [
  "Content-Type",
  "text/plain; charset=utf-8",
  "Content-Length",
  String(text.length),
  "X-Content-Type-Options",
  "nosniff",
  "Connection",
  "close"
]

/** The whole response as text, where there is no request that node could answer. */
export const response = (status: number): string => {
  const text = Status.text(status)
  const lines = head(text).reduce((all, part, at) => all + part + (at % 2 === 0 ? ": " : "\r\n"), "")
  return `HTTP/1.1 ${status} ${text}\r\n${lines}\r\n${text}`
}

/** The same through node, for a request that was parsed. */
export const respond = (res: Http.ServerResponse, status: number): void => {
  const text = Status.text(status)
  res.writeHead(status, text, head(text))
  res.end(text)
}
