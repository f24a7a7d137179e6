// Refuses what is no valid request: a short text response, then the connection is closed.
import type * as Http from "node:http"
import * as Status from "../../../src/http/internal/text/Status.ts"
import type { Connection } from "./Connections.ts"

const statuses: ReadonlyMap<string, number> = new Map([
  ["HPE_HEADER_OVERFLOW", 431],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", 413],
  ["ERR_HTTP_REQUEST_TIMEOUT", 408]
])

/** The status for an error of node's `clientError` event. */
export const statusOf = (error: NodeJS.ErrnoException): number => statuses.get(error.code ?? "") ?? 400

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

/** The whole response as text, for bytes that node could not parse as a request. */
export const response = (status: number): string => {
  const text = Status.text(status)
  const lines = head(text).reduce((all, part, at) => all + part + (at % 2 === 0 ? ": " : "\r\n"), "")
  return `HTTP/1.1 ${status} ${text}\r\n${lines}\r\n${text}`
}

interface Refused {
  readonly connection: Connection
  readonly req: Http.IncomingMessage
  readonly res: Http.ServerResponse
}

/** Sends the response to a request that was parsed. */
export const refuse = ({ connection, req, res }: Refused, status: number): void => {
  connection.refused = true
  connection.discardRest(req, res, true)
  const text = Status.text(status)
  res.writeHead(status, text, head(text))
  res.end(text)
}
