// Multipart bodies as text, also those that no client would send.
import { randomBytes } from "node:crypto"

/** A part: its headers and its content. */
export interface Part {
  readonly name: string
  readonly filename?: string
  readonly type?: string
  readonly content?: string | Buffer
  /** In place of the header made from the above. */
  readonly disposition?: string
}

export const boundary = `----test-${randomBytes(8).toString("hex")}`

export const contentType = `multipart/form-data; boundary=${boundary}`

/** A PNG of this many bytes. */
export const png = (size: number): Buffer =>
  Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(size, 7)]).subarray(0, size)

/** One part, with the delimiter before it. */
export const part = ({ content = "", disposition, filename, name, type }: Part): Buffer => {
  const stated = filename === undefined ? "" : `; filename="${filename}"`
  const lines = [
    `--${boundary}`,
    `Content-Disposition: ${disposition ?? `form-data; name="${name}"${stated}`}`,
    ...(type === undefined ? [] : [`Content-Type: ${type}`])
  ]
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), Buffer.from(content), Buffer.from("\r\n")])
}

export const end = Buffer.from(`--${boundary}--\r\n`)

/** The whole body. */
export const body = (...parts: ReadonlyArray<Part>): Buffer => Buffer.concat([...parts.map(part), end])
