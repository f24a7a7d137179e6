// The media type of a file by its first bytes, for the types whose signature is unambiguous.

/** As many bytes as the longest signature needs. */
export const length = 16

type Test = (head: Uint8Array) => boolean

const at =
  (offset: number, ...bytes: ReadonlyArray<number>): Test =>
  (head) =>
    bytes.every((byte, index) => head[offset + index] === byte)

const text = (offset: number, word: string): Test => at(offset, ...Array.from(word, (char) => char.charCodeAt(0)))

const all =
  (...tests: ReadonlyArray<Test>): Test =>
  (head) =>
    tests.every((test) => test(head))

const signatures: ReadonlyArray<readonly [type: string, test: Test]> = [
  ["image/png", at(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ["image/jpeg", at(0, 0xff, 0xd8, 0xff)],
  ["image/gif", text(0, "GIF8")],
  ["image/webp", all(text(0, "RIFF"), text(8, "WEBP"))],
  ["image/avif", all(text(4, "ftyp"), text(8, "avif"))],
  ["application/pdf", text(0, "%PDF-")],
  ["application/zip", at(0, 0x50, 0x4b, 0x03, 0x04)],
  ["application/gzip", at(0, 0x1f, 0x8b)]
]

const known: ReadonlySet<string> = new Set(signatures.map(([type]) => type))

// Formats that are zip archives inside.
const zipped =
  /^application\/(?:vnd\.openxmlformats-officedocument\.|vnd\.oasis\.opendocument\.|epub\+zip$|java-archive$)/

const aliases: Readonly<Record<string, string>> = { "image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg" }

const canonical = (type: string): string => aliases[type] ?? type

/** Whether a declared type is accepted; every one when there is no list. */
export const isAllowed = (declared: string, allowed: ReadonlyArray<string> | undefined): boolean =>
  allowed === undefined || allowed.includes(canonical(declared))

/**
 * The type of a file, when it is one of the allowed ones: it has to be declared, and the bytes must not contradict it. A
 * picture that is declared as another allowed picture gets the type of its bytes.
 */
export const check = (
  declared: string,
  head: Uint8Array,
  allowed: ReadonlyArray<string> | undefined
): string | undefined => {
  const stated = canonical(declared)
  if (allowed === undefined) return stated
  if (!isAllowed(stated, allowed)) return undefined
  const found = signatures.find(([, test]) => test(head))?.[0]
  if (found === undefined) return known.has(stated) ? undefined : stated
  if (found === "application/zip" && zipped.test(stated)) return stated
  return allowed.includes(found) ? found : undefined
}
