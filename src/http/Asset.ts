// A small text file that is part of the program: its address names its content, so it may be kept for ever.

/** A file with its address and its tag. */
export interface Asset {
  readonly path: `/${string}`
  /** The path with the content's mark: changes when the content does. */
  readonly href: string
  readonly contentType: string
  readonly content: string
  readonly etag: string
}

// FNV-1a over 64 bits: no secret is kept by it, it only has to differ when the text does.
const fingerprint = (text: string): string => {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash.toString(16).padStart(16, "0")
}

/** The asset of a text; its address changes when the text does. */
export const make = (path: `/${string}`, contentType: string, content: string): Asset => {
  const mark = fingerprint(content)
  return { path, href: `${path}?v=${mark}`, contentType, content, etag: `"${mark}"` }
}
