// The client's address behind trusted proxies, what it has asked them for, and the key that rate limits count it by.
import { type Config, Either, Schema } from "effect"
import * as Setting from "../../config/internal/Setting.ts"
import * as StartupLine from "../../config/internal/StartupLine.ts"
import type { Forwarded } from "../../http/internal/RequestState.ts"
import { type Groups, isMapped, parse, print, print6 } from "./IpAddress.ts"

/** The address of a connection that has none. */
export const unknown = "unknown"

// Proxy chains are short. A longer list is an attempt to make us parse more.
const maxHops = 32

const contains = (network: Network, groups: Groups): boolean => {
  // `::/0` covers IPv6 only, not IPv4 through the mapped range.
  if ((network.bits >= 96 && isMapped(network.groups)) !== isMapped(groups)) return false
  for (let index = 0; index < 8; index++) {
    const open = 16 - Math.min(16, Math.max(0, network.bits - index * 16))
    if ((network.groups[index] ?? 0) >> open !== (groups[index] ?? 0) >> open) return false
  }
  return true
}

// Some proxies write the port: "192.0.2.1:4711", "[2001:db8::1]:4711".
const parseHop = (text: string): Groups | undefined => {
  const match = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/.exec(text)
  return parse(match?.[1] ?? match?.[2] ?? text)
}

/**
 * The client behind the trusted proxies. `X-Forwarded-For` is read from the right, one hop for each trusted
 * proxy: anything further left was written by the client and can be forged.
 */
export const resolve = (
  remoteAddress: string | undefined,
  xForwardedFor: string | undefined,
  trusted: ReadonlyArray<Network>
): string => {
  if (remoteAddress === undefined) return unknown
  let client = parse(remoteAddress)
  if (client === undefined) return unknown
  if (trusted.length === 0 || xForwardedFor === undefined) return print(client)
  let end = xForwardedFor.length
  for (let hop = 0; hop < maxHops && end >= 0; hop++) {
    const proxy: Groups = client
    if (!trusted.some((network) => contains(network, proxy))) break
    const comma = end === 0 ? -1 : xForwardedFor.lastIndexOf(",", end - 1)
    const next = parseHop(xForwardedFor.slice(comma + 1, end).trim())
    // A malformed hop: the proxy that wrote it is the last known address.
    if (next === undefined) break
    client = next
    end = comma
  }
  return print(client)
}

/** Whether the connection comes from a trusted proxy. */
export const isTrusted = (remoteAddress: string | undefined, trusted: ReadonlyArray<Network>): boolean => {
  const proxy = trusted.length === 0 ? undefined : parse(remoteAddress ?? "")
  return proxy !== undefined && trusted.some((network) => contains(network, proxy))
}

type Header = string | ReadonlyArray<string> | undefined

// The nearest proxy has written the last one: those before it may be the client's.
const lastOf = (header: Header): string =>
  (typeof header === "string" ? header : (header ?? []).join(","))
    .slice(-512)
    .split(",")
    .at(-1)
    ?.trim()
    .toLowerCase() ?? ""

const host = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9_][a-z0-9._-]{0,252})(?::\d{1,5})?$/

/** What a trusted proxy says in `X-Forwarded-Proto` and `X-Forwarded-Host`. */
export const forwarded = (proto: Header, authority: Header): Forwarded => {
  const scheme = lastOf(proto)
  const name = lastOf(authority)
  return {
    ...((scheme === "http" || scheme === "https") && { scheme }),
    ...(host.test(name) && { host: name })
  }
}

/** The key that a rate limit counts by: an IPv4 address, or the /64 prefix that one IPv6 subscriber owns. */
export const bucket = (peer: string): string => {
  const groups = parse(peer)
  if (groups === undefined || isMapped(groups)) return peer
  return `${print6([groups[0], groups[1], groups[2], groups[3], 0, 0, 0, 0])}/64`
}

/** A trusted proxy or a range of them. */
export interface Network {
  readonly groups: Groups
  readonly bits: number
}

const parseNetwork = (text: string): Network | undefined => {
  const slash = text.indexOf("/")
  const address = slash === -1 ? text : text.slice(0, slash)
  const groups = parse(address)
  if (groups === undefined) return undefined
  if (slash === -1) return { groups, bits: 128 }
  const length = text.slice(slash + 1)
  const offset = address.includes(":") ? 0 : 96
  const bits = /^(0|[1-9]\d{0,2})$/.test(length) ? offset + Number(length) : Number.NaN
  return bits <= 128 ? { groups, bits } : undefined
}

/** A trusted proxy is neither an address nor a CIDR range. */
export class InvalidNetwork extends Schema.TaggedError<InvalidNetwork>("effect-framework/session/InvalidNetwork")(
  "InvalidNetwork",
  { network: Schema.String }
) {
  get [StartupLine.symbol](): string {
    return "a-setting-in-code"
  }
  override get message() {
    return `The trusted proxy ${JSON.stringify(this.network)} is neither an address nor a CIDR range`
  }
}

/** Addresses and CIDR ranges, without a host name; fails for the first that is malformed. */
export const parseNetworks = (networks: ReadonlyArray<string>): Either.Either<ReadonlyArray<Network>, InvalidNetwork> =>
  Either.all(
    networks.map((text) =>
      Either.fromNullable(parseNetwork(text), () => new InvalidNetwork({ network: text.slice(0, 200) }))
    )
  )

/** A comma-separated list of addresses and CIDR ranges; `undefined` when one of them is malformed. */
export const parseTrusted = (text: string): ReadonlyArray<Network> | undefined => {
  const parts = text.split(",").map((part) => part.trim())
  return Either.getOrUndefined(parseNetworks(parts.filter((part) => part !== "")))
}

/** The proxies that `TRUSTED_PROXIES` lists. */
export const config: Config.Config<ReadonlyArray<Network>> = Setting.of<ReadonlyArray<Network>>("TRUSTED_PROXIES", [], {
  expected: "a comma-separated list of addresses or CIDR ranges",
  parse: parseTrusted
})
