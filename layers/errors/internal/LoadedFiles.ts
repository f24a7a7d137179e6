// The files that this process has loaded. An error can name any file; only loaded code may be shown.
import inspector from "node:inspector"
import { findSourceMap } from "node:module"
import { fileURLToPath } from "node:url"
import { withoutQuery } from "../../../src/errors/internal/Stack.ts"

const pathOf = (url: string): string => {
  if (!url.startsWith("file://")) return withoutQuery(url)
  try {
    return fileURLToPath(withoutQuery(url))
  } catch {
    return ""
  }
}

// Only the engine knows every module, imported or required. The query is slow and runs only for a page that shows source.
const scripts = (): ReadonlySet<string> => {
  const found = new Set<string>()
  const session = new inspector.Session()
  try {
    session.connect()
    session.on("Debugger.scriptParsed", ({ params }) => found.add(pathOf(params.url)))
    session.post("Debugger.enable")
    session.post("Debugger.disable")
  } catch {
    // Without the inspector no file is known to be loaded, and no source is shown.
  } finally {
    session.disconnect()
  }
  return found
}

interface LoadedFiles {
  /** Whether a file is loaded; the engine is queried once for each unknown file. */
  readonly has: (file: string) => boolean
  /** The files that were loaded at the last query. */
  readonly list: () => Iterable<string>
}

export const make = (): LoadedFiles => {
  let known: ReadonlySet<string> = new Set()
  const unknown = new Set<string>()
  return {
    has: (file) => {
      // With source maps enabled, every file that has one is known without a query.
      if (known.has(file) || findSourceMap(file) !== undefined) return true
      // A file in a stack is already loaded: an unknown one will not become loaded later.
      if (unknown.has(file)) return false
      known = scripts()
      if (unknown.size > 1000) unknown.clear()
      if (!known.has(file)) unknown.add(file)
      return known.has(file)
    },
    list: () => known
  }
}
