// The address of the program, and whether the headers of a request allow it to come from our own pages.
import * as Url from "../../config/internal/Url.ts"

/** The headers that tell where a request comes from. */
interface Source {
  readonly origin: string | undefined
  readonly secFetchSite: string | undefined
  readonly host: string | undefined
}

// => https://example.com:8443   refuses anything before or after the host, which `new URL` would drop silently
const parseOrigin = (origin: string): URL | undefined =>
  /^https?:\/\/[^/?#@\\\s]+$/i.test(origin) ? Url.parse(origin) : undefined

/**
 * Whether the headers allow the request to be ours. `Origin: null` (a sandboxed frame, a data: page) is another site;
 * a client that sends neither header is not a current browser, and the token decides.
 */
export const isOwnOrigin = ({ host, origin, secFetchSite }: Source, appUrl: string): boolean => {
  if (secFetchSite?.toLowerCase() === "cross-site") return false
  if (origin === undefined) return true
  const from = parseOrigin(origin)
  if (from === undefined) return false
  if (Url.parse(appUrl)?.origin === from.origin) return true
  // A proxy may speak TLS for us, so the scheme of our own host is not known here.
  return host !== undefined && parseOrigin(`${from.protocol}//${host}`)?.host === from.host
}

/** Works on the machine that runs the program, and nowhere else. */
export const defaultAppUrl = "http://localhost:8087"

/** The same on the port of the program; which one a free port is, is known too late. */
export const appUrlOn = (port: number): string => (port === 0 ? defaultAppUrl : `http://localhost:${port}`)
