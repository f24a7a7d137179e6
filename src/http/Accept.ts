// Content negotiation: the offer that the `Accept` header prefers.
import * as Remembered from "./internal/text/Remembered.ts"

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

// Ranges that cannot be parsed are skipped.
const parse = (header: string): ReadonlyArray<Range> => {
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
 * The offer with the highest quality. Of equal ones, a type that is named wins over one that a wildcard matches, then the
 * order of the offers decides. The first offer when there is no header, `undefined` when none is acceptable.
 *
 * @example
 * ```ts
 * import { HttpServerRequest } from "@effect/platform"
 * import { Effect } from "effect"
 * import { Accept } from "effect-framework/http"
 * import { Catcher } from "effect-framework/routes/errors"
 * import { Respond } from "effect-framework/routes/session"
 *
 * export const stock = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
 *   switch (Accept.preferred(headers["accept"], ["application/json", "text/csv"])) {
 *     case "application/json":
 *       return Effect.succeed(Respond.json({ assam: 3 }))
 *     case "text/csv":
 *       return Effect.succeed(Respond.text("tea,cups\nassam,3\n", { contentType: "text/csv" }))
 *     case undefined:
 *       return Catcher.status(406)
 *   }
 * })
 * ```
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

const pageOrJson = Remembered.make(
  (header: string) => preferred(header, ["text/html", "application/json"]) ?? "neither",
  256
)

/** Whether the client prefers JSON to a page. A wildcard or no header means a page. */
export const prefersJson = (header: string | undefined): boolean =>
  header !== undefined && pageOrJson(header) === "application/json"
