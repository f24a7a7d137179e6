// Whether the last `npm run build` is one of the present sources.
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"

/** What `tsconfig.build.json` includes. */
const folders = ["src", "layers", "routes", "testing", "app", "create"]
const settings = ["package.json", "package-lock.json", "tsconfig.json", "tsconfig.build.json"]

const modules = (folder: string, ending: string): ReadonlyArray<string> =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(ending) && !path.endsWith(`.d${ending}`))
        .map((path) => path.slice(0, -ending.length))
        .sort()
    : []

const changed = (path: string): number => statSync(path).mtimeMs

/** Whether `dist` of this folder holds each module of the sources and no other, and each is newer than all sources. */
export const isCurrent = (root: string): boolean => {
  const newest = Math.max(
    ...settings.map((name) => changed(join(root, name))),
    ...folders.flatMap((name) =>
      modules(join(root, name), ".ts").map((path) => changed(join(root, name, `${path}.ts`)))
    )
  )
  return folders.every((name) => {
    const [sources, built] = [modules(join(root, name), ".ts"), modules(join(root, "dist", name), ".js")]
    return (
      sources.join() === built.join() && built.every((path) => changed(join(root, "dist", name, `${path}.js`)) > newest)
    )
  })
}
