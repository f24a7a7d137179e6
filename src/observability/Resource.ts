// What a shipped snapshot is about: the attributes of its resource, as `OTEL_RESOURCE_ATTRIBUTES` spells them.

/** Attributes by their names, such as `service.version`. */
export type Attributes = Readonly<Record<string, string>>

/** What a malformed text should have been. */
export const expected = "key=value pairs with commas between them, what is not plain ASCII percent-encoded"

/** `key=value,key=value`, both percent-encoded, the last of two equal keys; nothing when any of it is malformed. */
export const parse = (text: string): Attributes | undefined => {
  const attributes = new Map<string, string>()
  for (const member of text.split(",")) {
    const at = member.indexOf("=")
    const key = decode(member.slice(0, Math.max(0, at)).trim())
    const value = decode(member.slice(at + 1).trim())
    if (key === undefined || key === "" || value === undefined) return undefined
    attributes.set(key, value)
  }
  return Object.fromEntries(attributes)
}

// A semicolon would begin the properties of a baggage entry, which a resource does not have.
const decode = (text: string): string | undefined => {
  if (/[^\x20-\x7e]|[;"\\]/.test(text)) return undefined
  try {
    const decoded = decodeURIComponent(text)
    return /\p{Cc}/u.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}
