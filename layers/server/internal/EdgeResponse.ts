// An `HttpServerResponse` written to node:http: text in one call, streams chunk by chunk.
import type { HttpBody, HttpServerResponse } from "@effect/platform"
import { type Chunk, Effect, Stream } from "effect"
import type * as Http from "node:http"
import { pipeline, Readable, Transform } from "node:stream"
import * as WholeBody from "./WholeBody.ts"

type Body = HttpBody.HttpBody

const bodyless = (status: number): boolean => status === 204 || status === 304 || status < 200

const immediate = (body: Body): string | Uint8Array | undefined => {
  if (body._tag === "Empty") return ""
  if (body._tag === "Uint8Array") return body.body
  if (body._tag !== "Raw") return undefined
  if (typeof body.body === "string" || body.body instanceof Uint8Array) return body.body
  return body.body === undefined || body.body === null ? "" : undefined
}

/** Writes a response whose body is in memory; returns whether it was. */
export const writeNow = (
  res: Http.ServerResponse,
  method: string,
  response: HttpServerResponse.HttpServerResponse,
  head: Array<string>
): boolean => {
  const body = immediate(response.body)
  if (body === undefined) return false
  if (bodyless(response.status)) {
    res.writeHead(response.status, head)
    res.end()
    return true
  }
  const length = Buffer.byteLength(body)
  if (response.headers["content-length"] === undefined) head.push("content-length", String(length))
  res.writeHead(response.status, head)
  if (method === "HEAD" || length === 0) res.end()
  // As many bytes as characters means ASCII, which node writes fastest as latin1.
  else WholeBody.end(res, body, length === body.length ? "latin1" : "utf8")
  return true
}

const drained = (res: Http.ServerResponse): Effect.Effect<void> =>
  Effect.async((resume) => {
    const done = () => {
      res.off("drain", done).off("close", done)
      resume(Effect.void)
    }
    res.on("drain", done).on("close", done)
    return Effect.sync(() => res.off("drain", done).off("close", done))
  })

const writeChunk = (res: Http.ServerResponse, chunk: Chunk.Chunk<Uint8Array>): Effect.Effect<void> =>
  Effect.suspend(() => {
    let room = true
    for (const bytes of chunk) room = res.write(bytes)
    return room || res.destroyed ? Effect.void : drained(res)
  })

const ignore = () => undefined

const unfinished = () => new Error("The body was closed before it ended.")

/**
 * Pipes a body to the response. A body that fails leaves the response open: whoever reports the failure breaks the
 * connection then.
 */
// `pipeline` closes the response first, and from Node.js 24 on before it tells why: a client that has gone looks the same.
const pipeTo = (res: Http.ServerResponse, source: Readable, begin: () => void): Effect.Effect<void> =>
  Effect.async((resume) => {
    const onError = (cause: unknown) => resume(Effect.die(cause))
    const onClose = () => void (source.readableEnded || onError(source.errored ?? unfinished()))
    if (source.destroyed && !source.readableEnded) return onClose()
    begin()
    source.on("error", onError).on("close", onClose)
    res.on("error", onError).on("finish", () => resume(Effect.void))
    source.pipe(res)
    return Effect.sync(() => source.unpipe(res).destroy())
  })

const isReadable = (body: unknown): body is Readable => body instanceof Readable

/**
 * The stream, which fails unless it has this many bytes: a file can change while it is sent. A client would take the next
 * response on the connection for the rest of a body that is too short, and what is too much for a response.
 */
const ofLength = (source: Readable, length: number): Readable => {
  let left = length
  const mismatch = () => new Error(`The body has not the ${length} bytes that its content-length says.`)
  const counted = new Transform({
    transform: (chunk: Uint8Array, _encoding, done) => {
      left -= chunk.length
      if (left < 0) done(mismatch())
      else done(null, chunk)
    },
    flush: (done) => done(left === 0 ? null : mismatch())
  })
  return pipeline(source, counted, ignore)
}

/** Waits for the first bytes, or for the end of a body that has none. */
const begun = (source: Readable): Effect.Effect<void> =>
  Effect.async((resume) => {
    const settle = (result: Effect.Effect<void>) => {
      source.off("readable", onReady).off("end", onReady).off("error", onError).off("close", onClose)
      resume(result)
    }
    const onReady = () => settle(Effect.void)
    const onError = (cause: unknown) => settle(Effect.die(cause))
    const onClose = () => onError(unfinished())
    if (source.errored !== null) onError(source.errored)
    else if (source.readableLength > 0 || source.readableEnded) onReady()
    else if (source.destroyed) onClose()
    else source.on("readable", onReady).on("end", onReady).on("error", onError).on("close", onClose)
    return Effect.sync(() => source.destroy())
  })

/**
 * Writes a response whose body comes over time. The head is sent with the first bytes: a body that fails before them can
 * still become another response, one that fails later is a defect that only a broken connection tells the client. `onHead` is
 * called when the head was sent.
 */
export const writeOver = (
  res: Http.ServerResponse,
  method: string,
  response: HttpServerResponse.HttpServerResponse,
  head: Array<string>,
  onHead: () => void
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { body, status } = response
    const begin = () => {
      if (res.headersSent) return
      res.writeHead(status, head)
      onHead()
    }
    if (body._tag === "FormData") {
      const encoded = new Response(body.formData)
      const type = encoded.headers.get("content-type") ?? "multipart/form-data"
      return Effect.map(
        Effect.promise(() => encoded.arrayBuffer()),
        (bytes) => {
          res.writeHead(status, [...head, "content-type", type])
          res.end(method === "HEAD" ? undefined : Buffer.from(bytes))
        }
      )
    }
    const given = body._tag === "Raw" && isReadable(body.body) ? body.body : undefined
    const length = bodyless(status) ? undefined : response.headers["content-length"]
    const source = given === undefined || length === undefined ? given : ofLength(given, Number(length))
    if (method === "HEAD") {
      source?.destroy()
      begin()
      return Effect.sync(() => void res.end())
    }
    if (source !== undefined) {
      // An error that comes between the two steps is seen by the second one.
      source.on("error", ignore)
      // Node may refuse the head: the file of a body that was never sent would stay open.
      return Effect.onError(Effect.zipRight(begun(source), pipeTo(res, source, begin)), () =>
        Effect.sync(() => source.destroy())
      )
    }
    if (body._tag !== "Stream") return Effect.dieMessage("A raw body must be text, bytes or a node stream.")
    // Node throws when the stream has not as many bytes as its content-length says.
    res.strictContentLength = true
    return body.stream.pipe(
      Stream.runForEachChunk((chunk) => {
        begin()
        return writeChunk(res, chunk)
      }),
      Effect.orDie,
      Effect.zipRight(
        Effect.sync(() => {
          begin()
          res.end()
        })
      )
    )
  })
