// IP addresses as text and as numbers: one canonical form for each address.

/** An address as eight 16-bit groups; IPv4 is mapped to `::ffff:0:0/96`, so that each address has one form. */
export type Groups = readonly [number, number, number, number, number, number, number, number]

const maxEntry = 64

export const isMapped = (groups: Groups): boolean =>
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
  // Dotted digits may end an address, but never precede the `::`.
  if (right.includes("::") || left.includes(".")) return undefined
  const [head, tail] = [parseSide(left), parseSide(right)]
  if (head === undefined || tail === undefined || head.length + tail.length > 7) return undefined
  return toGroups([...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail])
}

export const parse = (text: string): Groups | undefined => {
  if (text.length > maxEntry) return undefined
  const four = parse4(text.startsWith("::ffff:") ? text.slice(7) : text)
  return four === undefined ? parse6(text) : [0, 0, 0, 0, 0, 0xffff, four[0], four[1]]
}

export const print6 = (groups: Groups): string => {
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

export const print = (groups: Groups): string =>
  isMapped(groups) ? `${groups[6] >> 8}.${groups[6] & 255}.${groups[7] >> 8}.${groups[7] & 255}` : print6(groups)

/** The one text of an address: IPv4 inside IPv6 is IPv4, a zone is dropped, IPv6 is written as RFC 5952 asks. */
export const canonical = (text: string): string | undefined => {
  const groups = parse(text)
  return groups === undefined ? undefined : print(groups)
}
