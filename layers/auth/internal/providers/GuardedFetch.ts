// Requests to a provider, whose discovery may name any address: https, no private network, no redirect, bounded in time and
// size. The address is checked where the connection is made, so that a name cannot change its mind after the check.
import type { CustomFetch } from "openid-client"
import * as Dns from "node:dns"
import * as Http from "node:http"
import * as Https from "node:https"
import { BlockList, isIP, type LookupFunction } from "node:net"
import type { Network } from "../../../../src/auth/internal/providers/ProviderConfig.ts"

/** A request was not made, or its response is not one that is read. */
export class FetchRefused extends Error {
  override readonly name = "FetchRefused"
}

/** How long a whole response may take, in milliseconds, and how many bytes it may have. */
interface Bounds {
  readonly timeout: number
  readonly maxBytes: number
}

const ofProvider: Bounds = { timeout: 5_000, maxBytes: 256 * 1024 }

const loopback = new BlockList()
loopback.addSubnet("127.0.0.0", 8)
loopback.addAddress("::1", "ipv6")
// A connection to the unspecified address goes to this machine.
loopback.addSubnet("0.0.0.0", 8)
loopback.addAddress("::", "ipv6")

const reserved = new BlockList()
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3]
] as const) {
  reserved.addSubnet(network, prefix)
}
for (const [network, prefix] of [
  ["::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8]
] as const) {
  reserved.addSubnet(network, prefix, "ipv6")
}

const never = new BlockList()
// Machines in a cloud read their own credentials there.
never.addSubnet("169.254.0.0", 16)
never.addSubnet("fe80::", 10, "ipv6")
never.addAddress("fd00:ec2::254", "ipv6")
// Translated to an IPv4 address that is not checked, such as one of those above: NAT64, Teredo, 6to4.
never.addSubnet("64:ff9b::", 96, "ipv6")
never.addSubnet("64:ff9b:1::", 48, "ipv6")
never.addSubnet("2001::", 32, "ipv6")
never.addSubnet("2002::", 16, "ipv6")

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")

/** Whether a provider of this network may have this address. A mapped address counts as the IPv4 one. */
export const isAllowed = (address: string, network: Network): boolean => {
  if (isIP(address) === 0) return false
  if (isIn(loopback, address)) return network === "loopback"
  if (isIn(never, address)) return false
  return network !== "public" || !isIn(reserved, address)
}

const refusedAddress = () => new FetchRefused("its address is not allowed")

const lookupIn =
  (network: Network): LookupFunction =>
  (host, options, done) => {
    Dns.lookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, "", 0)
      const [first] = found
      if (first === undefined || !found.every(({ address }) => isAllowed(address, network))) {
        return done(refusedAddress(), "", 0)
      }
      if (options.all === true) return done(null, found)
      done(null, first.address, first.family)
    })
  }

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "")

/** Whether requests may go to this address: the scheme, and a host that is an address itself. */
export const isAcceptable = (url: URL, network: Network): boolean => {
  if (url.username !== "" || url.password !== "") return false
  const host = hostOf(url)
  if (isIP(host) !== 0 && !isAllowed(host, network)) return false
  if (url.protocol === "https:") return true
  return url.protocol === "http:" && network === "loopback" && (host === "localhost" || isIn(loopback, host))
}

const bodyOf = (body: unknown): string | undefined =>
  typeof body === "string" || body instanceof URLSearchParams ? body.toString() : undefined

const headersOf = (given: Http.IncomingHttpHeaders): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers.set(name, String(value))
  return headers
}

const responseOf = (status: number, headers: Headers, body: Buffer): Response =>
  new Response([204, 205, 304].includes(status) ? null : new Uint8Array(body), { status, headers })

// An agent takes an open connection by the name of its host and asks for no address: what the program, or a provider of another
// network, has connected must not be taken. With the program's own settings, such as an authority.
const makeAgents = () => ({
  plain: new Http.Agent({ keepAlive: true, timeout: ofProvider.timeout }),
  secure: new Https.Agent(Https.globalAgent.options)
})

const agents = new Map<Network, ReturnType<typeof makeAgents>>()

const agentsOf = (network: Network) => {
  const made = agents.get(network) ?? makeAgents()
  agents.set(network, made)
  return made
}

/** `fetch` for servers of this network, within the bounds of a provider unless others are given. */
export const make = (network: Network, { maxBytes, timeout }: Bounds = ofProvider): CustomFetch => {
  const { plain, secure } = agentsOf(network)
  return (given, { body, headers, method, signal }) =>
    new Promise((resolve, reject) => {
      const url = new URL(given)
      if (!isAcceptable(url, network)) return reject(refusedAddress())
      const text = bodyOf(body)
      const isSecure = url.protocol === "https:"
      const request = (isSecure ? Https : Http).request(url, {
        agent: isSecure ? secure : plain,
        method,
        headers: {
          ...headers,
          "accept-encoding": "identity",
          ...(text !== undefined && { "content-length": Buffer.byteLength(text) })
        },
        lookup: lookupIn(network),
        ...(signal !== undefined && { signal })
      })
      // Stopped with the request: a signal would fire seconds after each of them.
      const timer = setTimeout(() => request.destroy(new FetchRefused("it does not respond")), timeout)
      request.on("close", () => clearTimeout(timer))
      request.on("error", (error) =>
        reject(error instanceof FetchRefused ? error : new FetchRefused("it does not respond"))
      )
      request.on("response", (response) => {
        const status = response.statusCode ?? 0
        const refuse = (reason: string) => {
          request.destroy()
          reject(new FetchRefused(reason))
        }
        if (status >= 300 && status < 400) return refuse("it redirects")
        if (status === 429 || status >= 500) return refuse(`it responds with ${status}`)
        const parts: Array<Buffer> = []
        let size = 0
        response.on("error", () => refuse("its response has ended early"))
        response.on("data", (part: Buffer) => {
          size += part.length
          if (size > maxBytes) return refuse("its response is too large")
          parts.push(part)
        })
        response.on("end", () => resolve(responseOf(status, headersOf(response.headers), Buffer.concat(parts))))
      })
      request.end(text)
    })
}
