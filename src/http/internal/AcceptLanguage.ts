// Language negotiation: the language that the `Accept-Language` header prefers (RFC 9110, 12.5.4; RFC 4647 lookup).

interface Range {
  /** In lower case; `*` for any language. */
  readonly tag: string
  readonly quality: number
}

/** The language of a response. */
export interface Match {
  /** One of the offers, as it was offered. */
  readonly tag: string
  /** The client's own form of it, such as `en-GB` of `en`: for dates and numbers. */
  readonly locale: string
}

// Longer than what browsers send, and short enough to read on every request.
const longest = 512
const mostRanges = 32

const tagShape = /^(?:\*|[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,7})$/
const weight = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i

const parseRange = (text: string): Range | undefined => {
  const [name = "", ...parameters] = text.split(";")
  const tag = name.trim().toLowerCase()
  if (!tagShape.test(tag)) return undefined
  const given = parameters.map((parameter) => weight.exec(parameter)?.[1]).find((value) => value !== undefined)
  return { tag, quality: given === undefined ? (parameters.length === 0 ? 1 : 0) : Math.min(1, Number(given)) }
}

// The one with the highest quality first; of equal ones the one that is named first. Malformed ranges are skipped.
const parse = (header: string): ReadonlyArray<Range> =>
  header
    .slice(0, longest)
    .split(",", mostRanges)
    .flatMap((part) => parseRange(part) ?? [])
    .sort((a, b) => b.quality - a.quality)

// => en-GB, en   of `en-GB-oxendict`
const regional = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}))?(?:-|$)/

const localeOf = (tag: string, wanted: string): string => {
  const [, language = "", region] = regional.exec(wanted) ?? []
  return region !== undefined && tag.toLowerCase() === language ? `${tag}-${region.toUpperCase()}` : tag
}

// RFC 4647 lookup: `de-AT-1996` asks for `de-at-1996`, then `de-at`, then `de`.
const lookup = (offers: ReadonlyMap<string, string>, wanted: string): string | undefined => {
  for (let tag = wanted; tag !== ""; tag = tag.slice(0, Math.max(0, tag.lastIndexOf("-")))) {
    const offer = offers.get(tag)
    if (offer !== undefined) return offer
  }
  return undefined
}

/** The offer that the header prefers; the first one when it names none of them. */
export const choose = (header: string | undefined, offers: readonly [string, ...ReadonlyArray<string>]): Match => {
  const fallback = { tag: offers[0], locale: offers[0] }
  if (header === undefined || header === "") return fallback
  const known = new Map(offers.map((offer) => [offer.toLowerCase(), offer]))
  const ranges = parse(header)
  const refused = new Set(ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag))
  for (const { quality, tag } of ranges) {
    if (quality === 0) break
    const offer = tag === "*" ? offers.find((one) => !refused.has(one.toLowerCase())) : lookup(known, tag)
    if (offer !== undefined && !refused.has(offer.toLowerCase())) return { tag: offer, locale: localeOf(offer, tag) }
  }
  return fallback
}
