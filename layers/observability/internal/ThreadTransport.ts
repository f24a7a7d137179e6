// Posts to a collector from a thread of its own. An HTTP client in the thread of the requests makes every response slower:
// node's streams and sockets are fastest while all of them are of one kind. In one run with
// 1 % of the requests sampled there were 0.90 of the responses without tracing, and 0.935 from here.
import { Effect, Layer } from "effect"
import { Worker } from "node:worker_threads"
import { ExportFailed } from "../../../src/observability/MetricsExporter.ts"
import { type OtlpRequest, OtlpTransport } from "./OtlpClient.ts"

// As text, so that a bundle needs no second file. What a collector says beyond 64 KiB is dropped.
const program = `
const { parentPort } = require("node:worker_threads")
const { gzipSync } = require("node:zlib")
const clients = { "http:": require("node:http"), "https:": require("node:https") }
const agents = {}
const pending = new Map()
const agentOf = (protocol) => (agents[protocol] ??= new clients[protocol].Agent({ keepAlive: true }))
const post = ({ id, url, headers, body }) => {
  const target = new URL(url)
  const reply = (message) => pending.delete(id) && parentPort.postMessage({ id, ...message })
  const fail = (error) => reply({ reason: error.message || error.code })
  const bytes = headers["content-encoding"] === "gzip" ? gzipSync(body) : Buffer.from(body)
  const options = { method: "POST", headers: { ...headers, "content-length": bytes.length } }
  const request = clients[target.protocol].request(target, { ...options, agent: agentOf(target.protocol) })
  pending.set(id, request)
  request.on("error", fail)
  request.on("response", (response) => {
    let text = ""
    response.setEncoding("utf8")
    response.on("data", (part) => { if (text.length < 65536) text += part })
    response.on("error", fail)
    response.on("end", () => reply({ status: response.statusCode, retryAfter: response.headers["retry-after"], body: text }))
  })
  request.end(bytes)
}
parentPort.on("message", (message) => {
  if (message.url === undefined) {
    pending.get(message.id)?.destroy()
    pending.delete(message.id)
    return
  }
  try { post(message) } catch (error) { parentPort.postMessage({ id: message.id, reason: error.message }) }
})
`

/** A boundary: what the program above posts. */
interface Reply {
  readonly id: number
  /** Why there is no response. */
  readonly reason?: string
  readonly status?: number
  readonly retryAfter?: string
  readonly body?: string
}

type Settle = (reply: Omit<Reply, "id">) => void

/** The thread: it runs from the first request on, and keeps the process alive only while a response is awaited. */
class Thread {
  #worker: Worker | undefined
  #last = 0
  readonly #awaited = new Map<number, Settle>()

  /** Posts, and returns how to break it off. */
  post(request: OtlpRequest, settle: Settle): () => void {
    const id = ++this.#last
    const worker = (this.#worker ??= this.#start())
    this.#awaited.set(id, settle)
    worker.ref()
    worker.postMessage({ id, ...request }, [])
    return () => {
      worker.postMessage({ id }, [])
      this.#take(id)
    }
  }

  stop(): Promise<unknown> {
    return this.#worker?.terminate() ?? Promise.resolve()
  }

  #start(): Worker {
    // Without the loaders of the program: it has nothing to load. Nor does it print: node would pipe its output, and those
    // pipes would be streams of a second kind in the thread of the requests.
    const worker = new Worker(program, { eval: true, execArgv: [], name: "otlp", stdout: true, stderr: true })
    worker.on("message", (reply: Reply) => this.#take(reply.id)?.(reply))
    worker.on("error", ({ message }) => this.#end(message))
    worker.on("exit", () => this.#end("the thread of the exports ended"))
    return worker
  }

  #take(id: number): Settle | undefined {
    const settle = this.#awaited.get(id)
    this.#awaited.delete(id)
    if (this.#awaited.size === 0) this.#worker?.unref()
    return settle
  }

  #end(reason: string): void {
    this.#worker = undefined
    for (const id of Array.from(this.#awaited.keys())) this.#take(id)?.({ reason })
  }
}

const make = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => new Thread()),
    (thread) => Effect.promise(() => thread.stop())
  ),
  (thread) =>
    OtlpTransport.of((request) =>
      Effect.async((resume) => {
        const cancel = thread.post(request, ({ body = "", reason, retryAfter, status }) =>
          resume(
            status === undefined
              ? new ExportFailed({ status, reason: reason ?? "no response" })
              : Effect.succeed({ status, retryAfter, body })
          )
        )
        return Effect.sync(cancel)
      })
    )
)

/** One thread for all exports above it. */
export const layer: Layer.Layer<OtlpTransport> = Layer.scoped(OtlpTransport, make)
