// A client that has ended its side of the connection. `nc -N` does so and waits for its response; a client that is gone
// looks the same, until it resets the connection because it is written to.
import { Socket } from "node:net"

// Every response begins with these bytes, also a "100 Continue" and a response to HTTP/1.0.
const start = "HTTP/1.1 "

/** Milliseconds between the two writes: a client that is gone resets the connection within a round trip. */
const roundTrip = 100

/** Milliseconds without a byte of a response that has begun, after which its client is taken to be gone. */
const silence = 5000

const withoutStart = (chunk: unknown, length: number): unknown =>
  typeof chunk === "string" || chunk instanceof Uint8Array ? chunk.slice(length) : chunk

/**
 * Sends the first bytes of the response before the rest is known, in two writes: the first makes a client that is gone
 * reset the connection, the second finds the reset and destroys the socket. Calls `alive` when the client is still there.
 */
export const sendStart = (socket: Socket, alive: () => void): void => {
  let sent = start.length - 1
  socket.write(start.slice(0, sent), "latin1")
  // What node writes next begins with the same bytes.
  Object.defineProperty(socket, "write", {
    configurable: true,
    value: (chunk: unknown, ...rest: ReadonlyArray<unknown>): unknown => {
      Reflect.deleteProperty(socket, "write")
      return Reflect.apply(socket.write, socket, [withoutStart(chunk, sent), ...rest])
    }
  })
  setTimeout(() => {
    if (!Object.hasOwn(socket, "write")) return alive()
    Reflect.apply(Socket.prototype.write, socket, [start.slice(sent), "latin1", alive])
    sent = start.length
  }, roundTrip).unref()
}

/** For a response that has begun. Its own bytes find a client that is gone; without any, a timeout does. */
export const limitSilence = (socket: Socket): void => void socket.setTimeout(silence)
