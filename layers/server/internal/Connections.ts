// The open connections: one request at a time on each, a bounded queue behind it, and a close that loses no response.
import type * as Http from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"

/** The limits of a connection. */
export interface Bounds {
  /** Requests that may wait behind the one in progress. */
  readonly pipelined: number
  /** Bytes of an unread body that are discarded before the connection is closed. */
  readonly discard: number
  /** Milliseconds for which the server keeps reading after a response to an unread body or a refusal. */
  readonly linger: number
}

const pollInterval = 50

/** Whether the head announces a body. */
export const announcesBody = ({ headers }: Http.IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Whether a part of the body is unread. Node calls every request incomplete until it has emitted its end. */
export const hasUnreadBody = (req: Http.IncomingMessage): boolean => !req.complete && announcesBody(req)

// Tells node's parser that the rest is another protocol: it parses no further.
const leave = () => 2

// One read can hold two thousand requests, and the parser would make objects for each of them also when the socket has been
// destroyed: 100 connections of one client would fill the heap. No public interface of node stops a parser, so this is the one
// place that reaches for what is not public; without it nothing is lost but that bound.
const stopParsing = (socket: Duplex): void => {
  const parser: unknown = Reflect.get(socket, "parser")
  if (typeof parser === "object" && parser !== null && "onIncoming" in parser) parser.onIncoming = leave
}

/** A connection and its last request. */
export class Connection {
  /** The last request; the one before it is complete. */
  req: Http.IncomingMessage | undefined = undefined
  res: Http.ServerResponse | undefined = undefined
  /** The request that the routes have got last: a later one waits for the end of a turn, or for a response. */
  begun: Http.IncomingMessage | undefined = undefined
  /** No request after the current one gets a response. */
  last = false
  /** The last response is a refusal, or the connection is closing: later parser events are ignored. */
  refused = false
  /** The status that refuses the last request, when its body broke while it waited. */
  broken: number | undefined = undefined
  /** Requests that wait for the response before their own. */
  waiting = 0
  /** Read with the first request: the property of the socket costs a request more than its route, and ends with it. */
  readonly remoteAddress: string | undefined
  readonly #socket: Duplex
  readonly #bounds: Bounds

  constructor(socket: Duplex, bounds: Bounds) {
    this.remoteAddress = socket instanceof Socket ? socket.remoteAddress : undefined
    this.#socket = socket
    this.#bounds = bounds
  }

  /** Whether every response has been handed to the operating system. */
  get idle(): boolean {
    return this.res === undefined || this.res.writableFinished
  }

  get bytesRead(): number {
    return this.#socket instanceof Socket ? this.#socket.bytesRead : 0
  }

  /** Calls `begin` when the last response has been sent. A connection with too many waiting requests is destroyed. */
  wait(begin: () => void): void {
    const { res } = this
    if (res === undefined || res.closed) return begin()
    if (++this.waiting > this.#bounds.pipelined) {
      this.last = true
      this.refused = true
      stopParsing(this.#socket)
      this.#socket.destroy()
      return
    }
    // Backpressure: the server reads no further until the client has read the response.
    this.#socket.pause()
    res.once("close", () => {
      if (--this.waiting === 0) this.#socket.resume()
      // Nothing is begun behind a response that closes the connection.
      if (this.#socket.writable) begin()
    })
  }

  /** For a response before the end of its request: discards the rest of the body, up to a bound. */
  discardRest(req: Http.IncomingMessage, res: Http.ServerResponse, closes: boolean): void {
    if (closes) {
      this.last = true
      // Node would close the socket with bytes unread, and the TCP reset can arrive before the response.
      req.socket.destroySoon = () => this.close()
    }
    res.once("finish", () => {
      if (req.complete || req.socket.destroyed) return
      // The handler has stopped reading: this listener keeps the body flowing.
      req.removeAllListeners("readable").removeAllListeners("data")
      req.on("data", () => undefined).resume()
      if (!closes) this.#watch(() => req.complete)
    })
  }

  /** Closes the connection after the client had time to read the response. */
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
      stop()
    }, pollInterval).unref()
    const stop = () => {
      clearInterval(timer)
      socket.off("close", stop)
    }
    socket.once("close", stop)
  }
}

// A property of the socket: a lookup in a `WeakMap` for each request costs more than the route.
const slot: unique symbol = Symbol("effect-framework/server/Connection")

/** The connections of a server by their sockets. */
export class Connections {
  readonly #bounds: Bounds

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  of(socket: Duplex & { [slot]?: Connection }): Connection {
    return (socket[slot] ??= new Connection(socket, this.#bounds))
  }
}
