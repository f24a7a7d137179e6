// Node's HTTP parser of a socket. It is not a public property: when it is missing or different, these functions do nothing.
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
