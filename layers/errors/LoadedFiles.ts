// Which files this process runs. An error can name any file; only those that are code here already may be shown.
import inspector from "node:inspector"
import { findSourceMap } from "node:module"
import { fileURLToPath } from "node:url"
import { withoutQuery } from "../../src/errors/Stack.ts"

const pathOf = (url: string): string => {
  if (!url.startsWith("file://")) return withoutQuery(url)
  try {
    return fileURLToPath(withoutQuery(url))
  } catch {
    return ""
  }
}

// Only the engine knows every module, imported or required. Asking it takes a moment and happens only for a page
// that shows source.
const scripts = (): ReadonlySet<string> => {
  const found = new Set<string>()
  const session = new inspector.Session()
  try {
    session.connect()
    session.on("Debugger.scriptParsed", ({ params }) => found.add(pathOf(params.url)))
    session.post("Debugger.enable")
    session.post("Debugger.disable")
  } catch {
    // A node without inspector shows no source: better than a source that nobody vouches for.
  } finally {
    session.disconnect()
  }
  return found
}

export interface LoadedFiles {
  /** Whether a file is loaded; the engine is asked once for each file that was not heard of. */
  readonly has: (file: string) => boolean
  /** All that were loaded when the engine was last asked. */
  readonly list: () => Iterable<string>
}

export const make = (): LoadedFiles => {
  let known: ReadonlySet<string> = new Set()
  const strange = new Set<string>()
  return {
    has: (file) => {
      // Where source maps are switched on, every file that has one is known without asking the engine.
      if (known.has(file) || findSourceMap(file) !== undefined) return true
      // What appears in a stack is loaded by then: a file that is not will not become so.
      if (strange.has(file)) return false
      known = scripts()
      if (strange.size > 1000) strange.clear()
      if (!known.has(file)) strange.add(file)
      return known.has(file)
    },
    list: () => known
  }
}
