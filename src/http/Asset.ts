// A small text file that is part of the program. Its URL contains a hash of its content, so caches may keep it for ever.

/** A file with its URL and its ETag. */
export interface Asset {
  readonly path: `/${string}`
  /** The path with the hash of the content. */
  readonly href: string
  readonly contentType: string
  readonly content: string
  readonly etag: string
}

// FNV-1a over 32 bits, twice: it protects no secret, it only has to change with the text.
const lane = (bytes: Uint8Array, basis: number): string => {
  let hash = basis
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, "0")
}

const fingerprint = (text: string): string => {
  const bytes = new TextEncoder().encode(text)
  return lane(bytes, 0x811c9dc5) + lane(bytes, 0x050c5d1f)
}

/** An asset from its text. */
export const make = (path: `/${string}`, contentType: string, content: string): Asset => {
  const mark = fingerprint(content)
  return { path, href: `${path}?v=${mark}`, contentType, content, etag: `"${mark}"` }
}
