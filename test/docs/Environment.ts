// The settings of every program here, read from an environment that a test makes up.
import { Config, ConfigProvider, Effect } from "effect"
import * as Settings from "../../demo/Settings.ts"
import * as CursorSignature from "../../layers/pagination/internal/CursorSignature.ts"

const everything = Config.all({ demo: Settings.config, seal: CursorSignature.config })

/** The settings of an environment, and the variables that were asked for on the way. */
export const load = (environment: Readonly<Record<string, string>>) => {
  const known = new Set<string>()
  const { flattened } = ConfigProvider.fromMap(new Map(Object.entries(environment)))
  const provider = ConfigProvider.makeFlat({
    enumerateChildren: flattened.enumerateChildren,
    patch: flattened.patch,
    load: (path, config, split) => {
      known.add(path.join("."))
      return flattened.load(path, config, split)
    }
  })
  const read = Effect.withConfigProvider(everything, ConfigProvider.fromFlat(provider))
  return Effect.map(read, (settings) => ({ known, settings }))
}

/** The variables of lines such as `NAME=value`. */
export const assignments = (lines: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, value = ""] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name, value] as const]
    })
  )
