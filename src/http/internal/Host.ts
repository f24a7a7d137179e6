// The `Host` header: whether it is valid, and whether it is a loopback name.

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
