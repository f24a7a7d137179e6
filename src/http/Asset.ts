// A small text file that is part of the program. Its URL contains a hash of its content, so caches may keep it for ever.
import * as Fingerprint from "./internal/text/Fingerprint.ts"

/** A file with its URL and its ETag. */
export interface Asset {
  readonly path: `/${string}`
  /** The path with the hash of the content. */
  readonly href: string
  readonly contentType: string
  readonly content: string
  readonly etag: string
}

/** An asset from its text. */
export const make = (path: `/${string}`, contentType: string, content: string): Asset => {
  const mark = Fingerprint.of(content)
  return { path, href: `${path}?v=${mark}`, contentType, content, etag: `"${mark}"` }
}
