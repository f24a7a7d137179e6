// Names from other libraries as Prometheus wants them: printable, in snake_case, and a counter ends in `_total`.
import type { Type } from "./snapshot/Series.ts"

const snakeCase = (name: string): string =>
  /[a-z][A-Z]/.test(name) ? name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase() : name

const total = "_total"

/** The name of a metric of this type. Colons are left to the rules of a Prometheus server. */
export const metric = (name: string, type: Type): string => {
  const printable = snakeCase(name.replaceAll(/[^a-zA-Z0-9_]/g, "_")).replace(/^(?![a-zA-Z_])/, "_")
  if (type === "counter") return printable.endsWith(total) ? printable : printable + total
  return printable.replace(/(?:_total)+$/, "") || "_"
}

/** The name of a label. Names that begin with two underscores are reserved for the scraper. */
export const label = (name: string): string =>
  snakeCase(name.replaceAll(/[^a-zA-Z0-9_]/g, "_"))
    .replace(/^_{2,}/, "_")
    .replace(/^(?![a-zA-Z_])/, "_")
