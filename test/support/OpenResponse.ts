// A response that stays open, read as it comes.
import { Effect, type Scope } from "effect"
import * as Http from "node:http"

export interface OpenResponse {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly received: () => string
  /** Waits until the text so far matches, or the response ends. */
  readonly says: (pattern: RegExp) => Effect.Effect<string>
  /** How it ended: whole, or cut. */
  readonly ended: Effect.Effect<"whole" | "cut">
}

/** Opens it; the connection is closed with the scope. */
export const open = (
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Effect.Effect<OpenResponse, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<{ readonly req: Http.ClientRequest; readonly res: Http.IncomingMessage }>((resume) => {
        const req = Http.get(url, { headers, agent: false }, (res) => resume(Effect.succeed({ req, res })))
        req.on("error", () => undefined)
      }),
      ({ req }) => Effect.sync(() => req.destroy())
    ),
    ({ res }) => {
      let text = ""
      const listeners = new Set<() => void>()
      const told = () => listeners.forEach((listener) => listener())
      const end = new Promise<"whole" | "cut">((resolve) => {
        res.on("error", () => undefined)
        res.on("close", () => {
          resolve(res.complete ? "whole" : "cut")
          told()
        })
      })
      res.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
        told()
      })
      const says = (pattern: RegExp) =>
        Effect.async<string>((resume) => {
          const look = () => {
            if (!pattern.test(text) && !res.closed) return
            listeners.delete(look)
            resume(Effect.succeed(text))
          }
          listeners.add(look)
          look()
        })
      return {
        status: res.statusCode ?? 0,
        headers: res.headers,
        received: () => text,
        says,
        ended: Effect.promise(() => end)
      }
    }
  )
