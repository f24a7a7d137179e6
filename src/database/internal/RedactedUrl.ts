// A database URL without its password, for logs and messages.

const mask = "********"

// Only recognised parts are shown: a password may contain any character, and malformed text may contain it anywhere.
const schemes = /^(?:postgres|postgresql|mysql|mariadb|mssql|sqlserver|mongodb|mongodb\+srv|redis|rediss):\/\//i
const files = /^(?:file|sqlite|sqlite3):/i
const user = /^[A-Za-z0-9._-]{1,63}(?=:)/
const host = /^(?:[A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/
const path = /^[A-Za-z0-9._~/-]*$/
const filePath = /^(?:[A-Za-z0-9._~%/-]*|:memory:)$/
const harmless = new Set(["application_name", "connect_timeout", "dbname", "host", "mode", "port", "sslmode", "user"])
const secret = new Set(["password", "sslpassword", "sslkey", "key", "pass", "pwd"])

const shownParameter = (pair: string): string => {
  const at = pair.indexOf("=")
  const name = pair.slice(0, Math.max(at, 0))
  if (harmless.has(name)) return path.test(pair.slice(at + 1)) ? pair : `${name}=${mask}`
  return secret.has(name) ? `${name}=${mask}` : mask
}

const shownQuery = (query: ReadonlyArray<string>): string =>
  query.length === 0 ? "" : `?${query.join("?").split("&").map(shownParameter).join("&")}`

const shownFile = (text: string): string => {
  const [name = "", ...query] = text.split("?")
  return filePath.test(name) ? `${name}${shownQuery(query)}` : mask
}

// `host:port/database?name=value`, each part by itself.
const shownPlace = (text: string): string => {
  const [place = "", ...query] = text.split("?")
  const end = place.indexOf("/")
  const [name, rest] = end < 0 ? [place, ""] : [place.slice(0, end), place.slice(end)]
  // After a masked host everything is suspect: `u:pass/word` has no host at all.
  if (!host.test(name)) return mask
  return `${name}${path.test(rest) ? rest : `/${mask}`}${shownQuery(query)}`
}

// The last `@` may also be part of a password in the query; then no host follows it.
const isQuery = (text: string): boolean => /[?=&;\s]|%(?:20|26|3b|3d|3f)/i.test(text)

/**
 * The text without its password, fit for a log: what is not known to be harmless is masked. In
 * `user://password@host` the first word is a user and not a scheme, so only the schemes of databases are shown.
 */
export const redact = (text: string): string => {
  const scheme = schemes.exec(text)?.[0] ?? ""
  const rest = text.slice(scheme.length)
  const at = rest.lastIndexOf("@")
  if (at >= 0) {
    const owner = scheme === "" ? "" : (user.exec(rest)?.[0] ?? "")
    const hidden = `${scheme}${owner === "" ? "" : `${owner}:`}${mask}`
    return isQuery(rest.slice(0, at)) ? hidden : `${hidden}@${shownPlace(rest.slice(at + 1))}`
  }
  if (scheme !== "") return `${scheme}${shownPlace(rest)}`
  const file = files.exec(text)?.[0] ?? ""
  return `${file}${file === "" && !path.test(text) ? mask : shownFile(text.slice(file.length))}`
}
