// Reads a URL without throwing.

/**
 * The URL, or `undefined` when the text is none. `URL.canParse` is not asked first: once Node 20 has compiled its caller it
 * reads Latin-1 text as UTF-8, says yes to what `new URL` refuses, and the request ends in an exception.
 */
export const parse = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
