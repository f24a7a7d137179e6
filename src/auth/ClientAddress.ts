// Who is at the other end: one canonical text per address, believed proxies, and the unit that rate limits count by.

/** An address as eight 16-bit groups; IPv4 lives in `::ffff:0:0/96`, so each address has one form only. */
type Groups = readonly [number, number, number, number, number, number, number, number]

/** A believed proxy or a range of them. */
export interface Network {
  readonly groups: Groups
  readonly bits: number
}

/** What a connection without an address counts as. */
export const unknown = "unknown"

// Proxies stand in short chains. A longer list is someone making us read.
const maxHops = 32
const maxEntry = 64

const isMapped = (groups: Groups): boolean =>
  groups[0] === 0 && groups[1] === 0 && groups[2] === 0 && groups[3] === 0 && groups[4] === 0 && groups[5] === 0xffff

// "010.0.0.1" is 8.0.0.1 to some readers and 10.0.0.1 to others: a leading zero is refused.
const ipv4 = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/

const parse4 = (text: string): readonly [number, number] | undefined => {
  const match = ipv4.exec(text)
  if (match === null) return undefined
  const [a, b, c, d] = [Number(match[1]), Number(match[2]), Number(match[3]), Number(match[4])]
  return a > 255 || b > 255 || c > 255 || d > 255 ? undefined : [(a << 8) | b, (c << 8) | d]
}

const parseSide = (text: string): ReadonlyArray<number> | undefined => {
  if (text === "") return []
  const groups: Array<number> = []
  const parts = text.split(":")
  for (const [index, part] of parts.entries()) {
    if (/^[0-9a-f]{1,4}$/i.test(part)) groups.push(Number.parseInt(part, 16))
    else {
      const tail = index === parts.length - 1 ? parse4(part) : undefined
      if (tail === undefined) return undefined
      groups.push(...tail)
    }
  }
  return groups
}

const toGroups = (groups: ReadonlyArray<number>): Groups | undefined => {
  const [a, b, c, d, e, f, g, h, ...rest] = groups
  if (h === undefined || rest.length > 0) return undefined
  return [a ?? 0, b ?? 0, c ?? 0, d ?? 0, e ?? 0, f ?? 0, g ?? 0, h]
}

const parse6 = (given: string): Groups | undefined => {
  const zone = given.indexOf("%")
  const text = zone === -1 ? given : given.slice(0, zone)
  const gap = text.indexOf("::")
  if (gap === -1) {
    const groups = parseSide(text)
    return groups === undefined ? undefined : toGroups(groups)
  }
  const left = text.slice(0, gap)
  const right = text.slice(gap + 2)
  // Dotted digits may end an address, never stand before its gap.
  if (right.includes("::") || left.includes(".")) return undefined
  const [head, tail] = [parseSide(left), parseSide(right)]
  if (head === undefined || tail === undefined || head.length + tail.length > 7) return undefined
  return toGroups([...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail])
}

const parse = (text: string): Groups | undefined => {
  if (text.length > maxEntry) return undefined
  const four = parse4(text.startsWith("::ffff:") ? text.slice(7) : text)
  return four === undefined ? parse6(text) : [0, 0, 0, 0, 0, 0xffff, four[0], four[1]]
}

const print6 = (groups: Groups): string => {
  let start = -1
  let length = 1
  for (let from = 0; from < 8; from++) {
    let to = from
    while (to < 8 && groups[to] === 0) to++
    if (to - from > length) [start, length] = [from, to - from]
  }
  const hex = groups.map((group) => group.toString(16))
  return start === -1 ? hex.join(":") : `${hex.slice(0, start).join(":")}::${hex.slice(start + length).join(":")}`
}

const print = (groups: Groups): string =>
  isMapped(groups) ? `${groups[6] >> 8}.${groups[6] & 255}.${groups[7] >> 8}.${groups[7] & 255}` : print6(groups)

/** The one text of an address: IPv4 inside IPv6 is IPv4, a zone is dropped, IPv6 is written as RFC 5952 asks. */
export const canonical = (text: string): string | undefined => {
  const groups = parse(text)
  return groups === undefined ? undefined : print(groups)
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

/** A comma-separated list of addresses and CIDR ranges; nothing when one of them cannot be read. */
export const parseTrusted = (text: string): ReadonlyArray<Network> | undefined => {
  const networks: Array<Network> = []
  for (const part of text.split(",")) {
    if (part.trim() === "") continue
    const network = parseNetwork(part.trim())
    if (network === undefined) return undefined
    networks.push(network)
  }
  return networks
}

const contains = (network: Network, groups: Groups): boolean => {
  // `::/0` says IPv6; it does not reach IPv4 by way of the mapped range.
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
 * The client behind the believed proxies. `X-Forwarded-For` is read from the right, one hop for each proxy that is
 * believed: what stands further left was written by the client and says whatever it likes.
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
    const believed: Groups = client
    if (!trusted.some((network) => contains(network, believed))) break
    const comma = end === 0 ? -1 : xForwardedFor.lastIndexOf(",", end - 1)
    const next = parseHop(xForwardedFor.slice(comma + 1, end).trim())
    // An unreadable hop: the proxy that wrote it is the last one known.
    if (next === undefined) break
    client = next
    end = comma
  }
  return print(client)
}

/** What a rate limit counts by: an IPv4 address, or the /64 that one IPv6 subscriber has to himself. */
export const bucket = (peer: string): string => {
  const groups = parse(peer)
  if (groups === undefined || isMapped(groups)) return peer
  return `${print6([groups[0], groups[1], groups[2], groups[3], 0, 0, 0, 0])}/64`
}
