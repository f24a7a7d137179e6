// Finds what node's parser lets through and HTTP/1.1 does not allow. Runs for every request: a few comparisons each.
import * as Http from "node:http"

/** The header lines that are read. A request with more is refused: dropping one could drop a proxy's `X-Forwarded-For`. */
const maxHeaderLines = 1000

/** The status that refuses the request; `undefined` when it is well formed. */
export type RequestCheck = (req: Http.IncomingMessage) => number | undefined

// Node's parser reads RTSP and ICE as well and does not tell. What has a method of theirs is refused; `GET / RTSP/1.1` is
// read as HTTP/1.1, since no public property has the name of the protocol.
const methods: ReadonlySet<string | undefined> = new Set(Http.METHODS.filter((method) => method !== "SOURCE"))

// A blank, a control character, a byte that is not ASCII, or a fragment.
const impossibleInTarget = /[^!-~]|#/

const isRepeated = (lines: ReadonlyArray<string>): boolean => {
  let hosts = 0
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at]
    if (name?.length === 4 && (name === "Host" || name === "host" || name.toLowerCase() === "host")) hosts++
  }
  return hosts > 1
}

// A name or an IPv4 address, or an IPv6 address in brackets; then a port. No user, no path, no blank.
const shape = /^(?:\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_][A-Za-z0-9._-]{0,252})(?::(\d{0,5}))?$/

/** Whether the text can be the authority of an `http` address. */
export const isPossible = (host: string): boolean => {
  const match = shape.exec(host)
  return match !== null && Number(match[1] ?? "0") <= 65_535
}

/** The name without its port, in lower case; IPv6 keeps its brackets. */
export const nameOf = (host: string): string => {
  const end = host.startsWith("[") ? host.indexOf("]") + 1 : host.indexOf(":")
  const name = (end <= 0 ? host : host.slice(0, end)).toLowerCase()
  return name.endsWith(".") ? name.slice(0, -1) : name
}

const loopback4 = /^127(?:\.(?:0|[1-9]\d{0,2})){3}$/

/** Whether the name (without a port) always resolves to the client's own machine: no other site can point it here. */
export const isLoopback = (name: string): boolean =>
  name === "localhost" || name.endsWith(".localhost") || name === "[::1]" || loopback4.test(name)

/** The check. `isServed` decides for which host names the server responds; without it, for all. */
export const make = (isServed?: (name: string) => boolean): RequestCheck => {
  // Nearly all requests name the same host: it is checked once.
  let known = ""
  const refuseHost = (host: string): number | undefined => {
    if (!isPossible(host)) return 400
    if (isServed !== undefined && !isServed(nameOf(host))) return 421
    known = host
    return undefined
  }
  return ({ headers, httpVersion, method, rawHeaders, url = "" }) => {
    if (httpVersion !== "1.1" && httpVersion !== "1.0") return 505
    if (!methods.has(method)) return 400
    if (rawHeaders.length > 2 * maxHeaderLines) return 431
    // Only a proxy gets requests with a whole URL, and this server is none.
    if (!url.startsWith("/") && !(url === "*" && method === "OPTIONS")) return 400
    if (impossibleInTarget.test(url) || isRepeated(rawHeaders)) return 400
    const coding = headers["transfer-encoding"]
    if (coding !== undefined) {
      // HTTP/1.0 has no transfer codings: a proxy in between may see another end of the body.
      if (httpVersion === "1.0") return 400
      if (coding.toLowerCase() !== "chunked") return 501
    }
    const { host } = headers
    if (host === undefined) return httpVersion === "1.1" ? 400 : undefined
    return host === known ? undefined : refuseHost(host)
  }
}
