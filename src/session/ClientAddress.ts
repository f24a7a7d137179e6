// The proxies whose `X-Forwarded-For` is trusted.
import { type Groups, parse } from "./internal/IpAddress.ts"

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

/** A comma-separated list of addresses and CIDR ranges; `undefined` when one of them is malformed. */
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
