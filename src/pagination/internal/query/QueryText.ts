// The text of a query parameter.

/** A name or a value as it is meant. Invalid percent-encoding is taken literally. */
export const decode = (text: string): string => {
  if (!/[%+]/.test(text)) return text
  const spaced = text.replaceAll("+", " ")
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
