// The text of an index in SQLite, whose catalogue does not say what an expression is.

const nullTest = /^\(?\s*("(?:[^"]|"")*"|[\w$]+)\s+IS\s+NULL\s*\)?(?:\s+(?:ASC|DESC))?$/i

const unquote = (name: string): string => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name)

/** The column of each part of an index that is `column IS NULL`, in the order of the parts; `undefined` for all others. */
export const nullTests = (sql: string): ReadonlyArray<string | undefined> =>
  parts(sql).map((part) => {
    const found = nullTest.exec(part)?.[1]
    return found === undefined ? undefined : unquote(found)
  })

// What stands between the outer parentheses, separated by commas that are inside no others and in no name or text.
const parts = (sql: string): ReadonlyArray<string> => {
  const all: Array<string> = []
  let depth = 0
  let quoted = ""
  let start = 0
  for (let index = 0; index < sql.length; index++) {
    const char = sql[index] ?? ""
    if (quoted !== "") quoted = char === quoted ? "" : quoted
    else if (char === '"' || char === "'" || char === "`") quoted = char
    else if (char === "(" && depth++ === 0) start = index + 1
    else if ((char === ")" && --depth === 0) || (char === "," && depth === 1)) {
      all.push(sql.slice(start, index).trim())
      start = index + 1
      if (depth === 0) break
    }
  }
  return all
}
