// A collector on loopback that responds as it is told and keeps what it was sent.
import { Effect, type Scope } from "effect"
import { createServer } from "node:http"

export interface Received {
  readonly method: string
  readonly path: string
  readonly contentType: string
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Collector {
  readonly url: string
  readonly received: ReadonlyArray<Received>
}

/** Responds with these in turn, the last one again and again. */
export const make = (...answers: ReadonlyArray<Answer>): Effect.Effect<Collector, never, Scope.Scope> =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const answer = answers[Math.min(received.length, answers.length - 1)] ?? { status: 200 }
        const { method = "", url: path = "" } = request
        const contentType = request.headers["content-type"] ?? ""
        received.push({ method, path, contentType, body: Buffer.concat(chunks).toString("utf8") })
        response.writeHead(answer.status, answer.headers).end(answer.body ?? "")
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.async<void>((resume) => {
          server.closeAllConnections()
          server.close(() => resume(Effect.void))
        })
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { url: `http://127.0.0.1:${port}`, received }
  })
