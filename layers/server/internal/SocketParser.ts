// Node's HTTP parser of a socket. It is not a public property: when it is missing or different, these functions do nothing.
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"

const call = (socket: Duplex, name: string): unknown => {
  const parser: unknown = Reflect.get(socket, "parser")
  if (typeof parser !== "object" || parser === null) return undefined
  const method: unknown = Reflect.get(parser, name)
  return typeof method === "function" ? Reflect.apply(method, parser, []) : undefined
}

/** The bytes that are being parsed. They are copied. */
export const currentBytes = (socket: Duplex): Buffer | undefined => {
  const bytes = call(socket, "getCurrentBuffer")
  return Buffer.isBuffer(bytes) ? bytes : undefined
}

// Tells node's parser that the rest is another protocol: it parses no further.
const leave = () => 2

/**
 * Stops parsing. One read can hold thousands of requests, and the parser would create objects for each of them even after
 * the socket has been destroyed.
 */
export const stop = (socket: Duplex): void => {
  const parser: unknown = Reflect.get(socket, "parser")
  if (typeof parser === "object" && parser !== null && "onIncoming" in parser) parser.onIncoming = leave
}

/**
 * Lets `isWanted` decide which requests become the server's `upgrade` event. Node would make one of every request with an
 * `Upgrade` header, also of one with a body that only offers HTTP/2.
 */
export const chooseUpgrades = (socket: Duplex, isWanted: (req: IncomingMessage) => boolean): void => {
  const parser: unknown = Reflect.get(socket, "parser")
  if (typeof parser !== "object" || parser === null || !("onIncoming" in parser)) return
  const { onIncoming } = parser
  if (typeof onIncoming !== "function") return
  parser.onIncoming = (req: IncomingMessage & { upgrade?: boolean }, ...rest: ReadonlyArray<unknown>): unknown => {
    if (req.upgrade === true && req.method !== "CONNECT" && !isWanted(req)) req.upgrade = false
    return Reflect.apply(onIncoming, parser, [req, ...rest])
  }
}
