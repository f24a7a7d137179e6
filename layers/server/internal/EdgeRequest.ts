// A node:http request as @effect/platform's `HttpServerRequest`, with a body that is counted while it is read.
// By module, since the package as a whole loads an HTTP client of a megabyte.
import * as NodeStream from "@effect/platform-node/NodeStream"
import {
  Cookies,
  type Headers,
  HttpIncomingMessage,
  type HttpMethod,
  HttpServerError,
  HttpServerRequest,
  Multipart,
  type Socket,
  UrlParams
} from "@effect/platform"
import { Effect, Inspectable, Option, Stream } from "effect"
import type * as Http from "node:http"
import { BodyTooLarge } from "../../../src/http/BodyError.ts"

interface Overrides {
  readonly url?: string | undefined
  readonly headers?: Headers.Headers | undefined
  readonly remoteAddress?: string | undefined
}

/** Makes the socket of a WebSocket handshake. */
type Upgrading = () => Effect.Effect<Socket.Socket, unknown>

/** The client waits for "100 Continue": it is sent when the body is first read. */
export interface Expectation {
  pending: boolean
}

const requestTypeId: typeof HttpServerRequest.TypeId = HttpServerRequest.TypeId
const messageTypeId: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId

const none: Overrides = {}

export class EdgeRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly source: Http.IncomingMessage
  /** Read by @effect/platform-node's `NodeHttpServerRequest.toServerResponse`. */
  readonly response: Http.ServerResponse
  readonly limit: number
  readonly #overrides: Overrides
  readonly #expectation: Expectation | undefined
  readonly #upgrading: Upgrading | undefined
  #bytes: Effect.Effect<Buffer, HttpServerError.RequestError> | undefined = undefined

  constructor(
    source: Http.IncomingMessage,
    response: Http.ServerResponse,
    limit: number,
    expectation?: Expectation,
    overrides: Overrides = none,
    upgrading?: Upgrading
  ) {
    super()
    this.#expectation = expectation
    this.source = source
    this.response = response
    this.limit = limit
    this.#overrides = overrides
    this.#upgrading = upgrading
  }

  get [requestTypeId](): HttpServerRequest.TypeId {
    return requestTypeId
  }
  get [messageTypeId](): HttpIncomingMessage.TypeId {
    return messageTypeId
  }

  get url(): string {
    return this.#overrides.url ?? this.originalUrl
  }
  get originalUrl(): string {
    return this.source.url ?? "/"
  }
  get method(): HttpMethod.HttpMethod {
    // A boundary: the router has matched the method, whatever else node may parse never reaches a handler.
    return (this.source.method ?? "GET") as HttpMethod.HttpMethod
  }
  get headers(): Headers.Headers {
    // A boundary: node lower-cases the names, and joins what may be joined.
    return this.#overrides.headers ?? (this.source.headers as Headers.Headers)
  }
  get cookies(): Record<string, string> {
    return Cookies.parseHeader(this.source.headers.cookie ?? "")
  }
  get remoteAddress(): Option.Option<string> {
    return Option.fromNullable(this.#overrides.remoteAddress ?? this.source.socket.remoteAddress)
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError.RequestError> {
    return Effect.map(this.bytes, (bytes) => new Uint8Array(bytes).buffer)
  }
  get text(): Effect.Effect<string, HttpServerError.RequestError> {
    return Effect.map(this.bytes, (bytes) => bytes.toString("utf8"))
  }
  get json(): Effect.Effect<unknown, HttpServerError.RequestError> {
    return Effect.flatMap(this.text, (text) =>
      Effect.try({
        try: (): unknown => (text === "" ? null : JSON.parse(text)),
        catch: (cause) => this.#failure(cause)
      })
    )
  }
  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpServerError.RequestError> {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }
  get stream(): Stream.Stream<Uint8Array, HttpServerError.RequestError> {
    return NodeStream.fromReadable<HttpServerError.RequestError, Uint8Array>(
      () => this.#awaited(),
      (cause) => this.#failure(cause),
      { closeOnDone: false }
    )
  }
  get multipart() {
    return Multipart.toPersisted(this.multipartStream)
  }
  get multipartStream() {
    // Not NodeMultipart: it loses an error that comes with the last bytes, and a form that is too large is read as empty.
    return this.stream.pipe(
      Stream.mapError((cause) => new Multipart.MultipartError({ reason: "InternalError", cause })),
      Stream.pipeThroughChannel(Multipart.makeChannel(this.headers))
    )
  }
  get upgrade(): Effect.Effect<Socket.Socket, HttpServerError.RequestError> {
    const upgrading = this.#upgrading
    if (upgrading === undefined) return Effect.fail(this.#failure(new Error("the request is no WebSocket handshake")))
    return Effect.mapError(Effect.suspend(upgrading), (cause) => this.#failure(cause))
  }

  modify(options: Overrides): EdgeRequest {
    const overrides = { ...this.#overrides, ...options }
    const { limit, response, source } = this
    const modified = new EdgeRequest(source, response, limit, this.#expectation, overrides, this.#upgrading)
    modified.#bytes = this.#bytes
    return modified
  }

  override toString(): string {
    return `ServerRequest(${this.method})`
  }
  // The URL may carry a verifier and the headers a cookie: what is inspected or logged shows neither.
  toJSON(): unknown {
    return { _id: "@effect/platform/HttpServerRequest", method: this.method }
  }

  /** The whole body, read once and kept. */
  get bytes(): Effect.Effect<Buffer, HttpServerError.RequestError> {
    return (this.#bytes ??= Effect.runSync(Effect.cached(this.#read())))
  }

  #read(): Effect.Effect<Buffer, HttpServerError.RequestError> {
    return Effect.async((resume) => {
      const source = this.#awaited()
      const chunks: Array<Buffer> = []
      let size = 0
      const done = (result: Effect.Effect<Buffer, HttpServerError.RequestError>) => {
        source.off("data", onData).off("end", onEnd).off("error", onError)
        resume(result)
      }
      const onData = (chunk: Buffer) => {
        size += chunk.length
        if (size <= this.limit) chunks.push(chunk)
        // The rest of the body is discarded, not refused: the client must be able to read the response.
        else {
          done(Effect.fail(this.#failure(new BodyTooLarge({ limit: this.limit }))))
          source.resume()
        }
      }
      const onEnd = () => done(Effect.succeed(Buffer.concat(chunks)))
      const onError = (cause: unknown) => done(Effect.fail(this.#failure(cause)))
      source.on("data", onData).on("end", onEnd).on("error", onError)
    })
  }

  #awaited(): Http.IncomingMessage {
    if (this.#expectation?.pending === true) {
      this.#expectation.pending = false
      if (!this.response.headersSent) this.response.writeContinue()
    }
    return this.source
  }

  #failure(cause: unknown): HttpServerError.RequestError {
    return new HttpServerError.RequestError({ request: this, reason: "Decode", cause })
  }
}
