// Node's HTTP parser of a socket. It is no public property: where it is missing or another, nothing is found or stopped.
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

// What node's parser takes for "the rest is another protocol": it leaves the rest alone.
const leave = () => 2

/**
 * Leaves the bytes that are still to be parsed alone. One read can hold thousands of requests, and each of them would be
 * made into objects even when the socket has been destroyed.
 */
export const stop = (socket: Duplex): void => {
  const parser: unknown = Reflect.get(socket, "parser")
  if (typeof parser === "object" && parser !== null && "onIncoming" in parser) parser.onIncoming = leave
}
