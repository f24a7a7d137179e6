// Content negotiation: which of our offers the `Accept` header likes best.

interface Range {
  readonly type: string
  readonly subtype: string
  readonly quality: number
}

const parseRange = (text: string): Range | undefined => {
  const [media = "", ...parameters] = text.split(";")
  const match = /^([!#$%&'*+.^_`|~0-9a-z-]+)\/([!#$%&'*+.^_`|~0-9a-z-]+)$/.exec(media.trim().toLowerCase())
  if (match === null) return undefined
  const [, type = "", subtype = ""] = match
  let quality = 1
  for (const parameter of parameters) {
    const weight = /^\s*q\s*=\s*([0-9.]+)\s*$/i.exec(parameter)
    if (weight !== null) quality = Math.min(1, Math.max(0, Number(weight[1]) || 0))
  }
  return { type, subtype, quality }
}

/** The ranges of an `Accept` header; what cannot be read is left out. */
export const parse = (header: string): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  for (const part of header.slice(0, 4096).split(",")) {
    const range = parseRange(part)
    if (range !== undefined) ranges.push(range)
  }
  return ranges
}

const specificity = (range: Range, type: string, subtype: string): number => {
  if (range.type === type && range.subtype === subtype) return 3
  if (range.type === type && range.subtype === "*") return 2
  return range.type === "*" && range.subtype === "*" ? 1 : 0
}

/**
 * The offer with the highest quality; a type that is named beats one that a wildcard lets in, then our own order
 * decides. The first offer when there is no header, nothing when none is acceptable.
 */
export const preferred = <Offer extends string>(
  header: string | undefined,
  offers: readonly [Offer, ...ReadonlyArray<Offer>]
): Offer | undefined => {
  if (header === undefined || header.trim() === "") return offers[0]
  const ranges = parse(header)
  let best: { readonly offer: Offer; readonly quality: number; readonly named: number } | undefined
  for (const offer of offers) {
    const [type = "", subtype = ""] = offer.split("/")
    let named = 0
    let quality = 0
    for (const range of ranges) {
      const fit = specificity(range, type, subtype)
      if (fit > named) {
        named = fit
        quality = range.quality
      } else if (fit === named && fit > 0) quality = Math.max(quality, range.quality)
    }
    if (quality === 0) continue
    if (best === undefined || quality > best.quality || (quality === best.quality && named > best.named)) {
      best = { offer, quality, named }
    }
  }
  return best?.offer
}

/** Whether the client would rather have JSON than a page; a wildcard and silence mean a page. */
export const prefersJson = (header: string | undefined): boolean =>
  header !== undefined && preferred(header, ["text/html", "application/json"]) === "application/json"
