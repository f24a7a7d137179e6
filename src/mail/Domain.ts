// The domain of an e-mail address in the form that mail servers look up.
import * as Url from "../http/Url.ts"

// A name in the DNS is at most 253 characters. The bound also keeps punycode, whose cost grows with the square, small.
const maxLength = 253

// `new URL` reads a host out of a larger text: it cuts at these, drops tabs and line breaks, and decodes `%`. None of
// them may stand in a domain, so that nothing but the IDNA mapping can change one.
const foreign = /[\0-,/:-@[-`{-\x7f]/

const label = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
const name = new RegExp(`^${label}(?:\\.${label})*$`)

/**
 * The ASCII form (IDNA, UTS 46) of a domain: `BÜCHER。example` is `xn--bcher-kva.example`. `undefined` when there is none,
 * also for an IP address in any notation.
 */
export const ascii = (domain: string): string | undefined => {
  if (domain.length > maxLength || foreign.test(domain)) return undefined
  const hostname = Url.parse(`http://${domain}`)?.hostname ?? ""
  return hostname.length <= maxLength && name.test(hostname) && !/(^|\.)\d+$/.test(hostname) ? hostname : undefined
}

/** The same address with its domain in ASCII; the text as it is when the domain has no such form. */
export const inAddress = (address: string): string => {
  const at = address.lastIndexOf("@")
  const domain = at === -1 ? undefined : ascii(address.slice(at + 1))
  return domain === undefined ? address : address.slice(0, at + 1) + domain
}
