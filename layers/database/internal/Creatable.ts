// Whether a folder can be used or created, without creating it.
import * as Fs from "node:fs"
import * as Path from "node:path"

/** Throws what creating the folder, or writing into it, would throw. */
export const check = (folder: string): void => {
  const wanted = Path.resolve(folder)
  let at = wanted
  while (!Fs.existsSync(at) && Path.dirname(at) !== at) at = Path.dirname(at)
  if (!Fs.statSync(at).isDirectory()) {
    throw Object.assign(new Error(`${at} is a file`), { code: at === wanted ? "EEXIST" : "ENOTDIR" })
  }
  Fs.accessSync(at, Fs.constants.W_OK | Fs.constants.X_OK)
}
