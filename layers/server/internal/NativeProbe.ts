// The liveness probe: handled in the raw listener, before Effect runs, so that the program cannot break it.
import type * as Http from "node:http"
import * as WholeBody from "./WholeBody.ts"

/** Responds to the probe; returns whether the request was one. */
export type Probe = (req: Http.IncomingMessage, res: Http.ServerResponse) => boolean

/** What it responds. */
export const body = '{"status":"ok"}'
const head = [
  "content-type",
  "application/json",
  "cache-control",
  "no-store",
  "content-length",
  String(Buffer.byteLength(body))
]

/** A probe on exactly this path, for GET and HEAD; a query is ignored. `undefined` when the path is empty. */
export const makeProbe = (path: string | undefined): Probe | undefined => {
  if (path === undefined || path === "") return undefined
  return (req, res) => {
    const { method, url } = req
    if (url !== path && !url?.startsWith(`${path}?`)) return false
    if (method !== "GET" && method !== "HEAD") return false
    res.writeHead(200, head)
    // ASCII, which node writes fastest as latin1.
    if (method === "GET") WholeBody.end(res, body, "latin1")
    else res.end()
    return true
  }
}
