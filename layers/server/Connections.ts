// The open connections: one request at a time on each, a bounded number that wait, and a close that loses no response.
import type * as Http from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import * as SocketParser from "./SocketParser.ts"

/** What a connection may hold. */
export interface Bounds {
  /** Requests that may wait behind the one that is being answered. */
  readonly pipelined: number
  /** Bytes of an unread body that are thrown away before the connection is cut. */
  readonly discard: number
  /** Milliseconds for which an unread body, or a client that was sent away, is listened to. */
  readonly linger: number
}

const pollInterval = 50

/** A connection with the request that came last on it. */
export class Connection {
  /** The request that came last; the one before it is complete. */
  req: Http.IncomingMessage | undefined = undefined
  res: Http.ServerResponse | undefined = undefined
  /** Nothing that comes after the present request is answered. */
  last = false
  /** The last response refuses what came, or the connection is ending: whatever the parser still says is ignored. */
  refused = false
  /** The status that refuses the request that came last, when it broke while it waited. */
  broken: number | undefined = undefined
  /** Requests that wait for the response before theirs. */
  waiting = 0
  readonly #socket: Duplex
  readonly #bounds: Bounds

  constructor(socket: Duplex, bounds: Bounds) {
    this.#socket = socket
    this.#bounds = bounds
  }

  /** Whether every response has been handed to the system. */
  get idle(): boolean {
    return this.res === undefined || this.res.writableFinished
  }

  get remoteAddress(): string | undefined {
    return this.#socket instanceof Socket ? this.#socket.remoteAddress : undefined
  }
  get bytesRead(): number {
    return this.#socket instanceof Socket ? this.#socket.bytesRead : 0
  }

  /** Begins when the last response has been sent. A connection on which too many wait is cut. */
  wait(begin: () => void): void {
    const { res } = this
    if (res === undefined || res.closed) return begin()
    if (++this.waiting > this.#bounds.pipelined) {
      this.last = true
      this.refused = true
      SocketParser.stop(this.#socket)
      this.#socket.destroy()
      return
    }
    // The client is not read from until it has read: what it sends meanwhile waits on its side.
    this.#socket.pause()
    res.once("close", () => {
      if (--this.waiting === 0) this.#socket.resume()
      if (!this.#socket.destroyed) begin()
    })
  }

  /** The response comes before its request was read to the end: the rest is thrown away, up to a bound. */
  discardRest(req: Http.IncomingMessage, res: Http.ServerResponse, closes: boolean): void {
    if (closes) {
      this.last = true
      // At the end node would close the socket with bytes unread, and the reset that follows can overtake the response.
      req.socket.destroySoon = () => this.close()
    }
    res.once("finish", () => {
      if (req.complete || req.socket.destroyed) return
      // Whoever had begun to read has stopped: a listener of ours keeps the bytes coming.
      req.removeAllListeners("readable").removeAllListeners("data")
      req.on("data", () => undefined).resume()
      if (!closes) this.#watch(() => req.complete)
    })
  }

  /** Ends the connection in a way that lets the client read what it was sent. */
  close(text?: string): void {
    const socket = this.#socket
    this.last = true
    this.refused = true
    if (text === undefined) socket.end()
    else socket.end(text, "latin1")
    socket.resume()
    this.#watch(() => false)
  }

  #watch(isOver: () => boolean): void {
    const socket = this.#socket
    const { discard, linger } = this.#bounds
    const [first, until] = [this.bytesRead, performance.now() + linger]
    const timer = setInterval(() => {
      if (!socket.destroyed && !isOver()) {
        if (this.bytesRead - first <= discard && performance.now() < until) return
        socket.destroy()
      }
      clearInterval(timer)
    }, pollInterval).unref()
    socket.once("close", () => clearInterval(timer))
  }
}

/** The connections of a server by their sockets. */
export class Connections {
  readonly #known = new WeakMap<Duplex, Connection>()
  readonly #bounds: Bounds

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  of(socket: Duplex): Connection {
    const known = this.#known.get(socket)
    if (known !== undefined) return known
    const made = new Connection(socket, this.#bounds)
    this.#known.set(socket, made)
    return made
  }
}
