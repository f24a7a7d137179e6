// A collector on a free loopback port that reads every request strictly and keeps what it was sent.
import { Effect, type Scope } from "effect"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { gunzipSync } from "node:zlib"
import * as OtlpRequest from "../src/observability/OtlpRequest.ts"
import * as OtlpText from "./OtlpText.ts"

export interface OtlpReceiver {
  readonly url: string
  readonly spans: Array<OtlpText.Span>
  readonly logs: Array<OtlpText.Log>
  readonly metrics: Array<OtlpRequest.Request>
  /** Why requests were no OTLP requests: empty in every test. */
  readonly malformed: Array<string>
  /** The statuses of the next responses; 200 afterwards. A request that is refused is not kept. */
  readonly refusals: Array<number>
  readonly requests: () => number
  /** Called with each accepted request. */
  readonly headers: Array<IncomingMessage["headers"]>
}

const read = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  return (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString("utf8")
}

const open = async () => {
  let requests = 0
  const kept = {
    spans: new Array<OtlpText.Span>(),
    logs: new Array<OtlpText.Log>(),
    metrics: new Array<OtlpRequest.Request>(),
    malformed: new Array<string>(),
    refusals: new Array<number>(),
    headers: new Array<IncomingMessage["headers"]>()
  }
  const paths: Readonly<Record<string, (body: string) => void>> = {
    "/v1/traces": (body) => void kept.spans.push(...OtlpText.spans(body)),
    "/v1/logs": (body) => void kept.logs.push(...OtlpText.logs(body)),
    "/v1/metrics": (body) => void kept.metrics.push(OtlpRequest.parse(body))
  }
  const accept = (request: IncomingMessage, body: string): number => {
    requests++
    const refusal = kept.refusals.shift()
    if (refusal !== undefined) return refusal
    kept.headers.push(request.headers)
    try {
      const keep = paths[request.url ?? ""]
      const type = request.headers["content-type"]
      if (keep === undefined || request.method !== "POST") throw new Error(`${request.method} ${request.url}`)
      if (type !== "application/json") throw new Error(`content-type ${type}`)
      keep(body)
      return 200
    } catch (error) {
      kept.malformed.push(String(error))
      return 400
    }
  }
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      response.writeHead(accept(request, body), { "content-type": "application/json" }).end("{}")
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const receiver: OtlpReceiver = { ...kept, url, requests: () => requests }
  return { receiver, server }
}

/** A collector for the scope of a test. */
export const receiver: Effect.Effect<OtlpReceiver, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(open),
  ({ server }) =>
    Effect.async<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
).pipe(Effect.map(({ receiver }) => receiver))
