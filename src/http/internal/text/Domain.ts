// The domain of an e-mail address, normalized to the ASCII form that the DNS uses.
import * as Url from "../../../config/internal/Url.ts"

// A name in the DNS is at most 253 characters. The bound also keeps punycode, whose cost grows with the square, small.
const maxLength = 253

// `new URL` parses a host out of a longer text: it cuts at these characters, drops tabs and line breaks, and decodes
// `%`. They are rejected first, so that only the IDNA mapping can change a domain.
const delimiters = /[\0-,/:-@[-`{-\x7f]/

// Node.js 24 and later convert a domain that is ASCII already without a look at its punycode: a label that is not ASCII
// makes them check all of it.
const prefix = { unicode: "\u00fc.", ascii: "xn--tda." }

const label = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
const name = new RegExp(`^${label}(?:\\.${label})*$`)

/**
 * The ASCII form (IDNA, UTS 46) of a domain: `BÜCHER。example` is `xn--bcher-kva.example`. `undefined` when it has
 * none, and for an IP address in any notation.
 */
export const ascii = (domain: string): string | undefined => {
  if (domain.length > maxLength || delimiters.test(domain)) return undefined
  const hostname = Url.parse(`http://${prefix.unicode}${domain}`)?.hostname.slice(prefix.ascii.length) ?? ""
  return hostname.length <= maxLength && name.test(hostname) && !/(^|\.)\d+$/.test(hostname) ? hostname : undefined
}

/** The address with its domain in ASCII; unchanged when the domain has no ASCII form. */
export const inAddress = (address: string): string => {
  const at = address.lastIndexOf("@")
  const domain = at === -1 ? undefined : ascii(address.slice(at + 1))
  return domain === undefined ? address : address.slice(0, at + 1) + domain
}
