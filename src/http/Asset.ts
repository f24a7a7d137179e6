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

// FNV-1a over 64 bits: it protects no secret, it only has to change with the text.
const fingerprint = (text: string): string => {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, "0")
}

/** An asset from its text. */
export const make = (path: `/${string}`, contentType: string, content: string): Asset => {
  const mark = fingerprint(content)
  return { path, href: `${path}?v=${mark}`, contentType, content, etag: `"${mark}"` }
}
