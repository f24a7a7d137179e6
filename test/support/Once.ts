// Work that one test file does for all of a run: the first that asks for it makes a text, the others wait for that.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { inject } from "vitest"

/** The text of this name; `make` may keep files in the folder that it is given, which goes with the run. */
export const once = async (name: string, make: (folder: string) => string | Promise<string>): Promise<string> => {
  const folder = join(inject("temporaryFolder"), name)
  const [made, failed] = [join(folder, "made.txt"), join(folder, "failed.txt")]
  if (isFirst(folder)) {
    try {
      write(made, await make(folder))
    } catch (error) {
      write(failed, String(error))
    }
  }
  while (!existsSync(made)) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, "utf8"))
    await setTimeout(100)
  }
  return readFileSync(made, "utf8")
}

// Only one process can create the folder.
const isFirst = (folder: string): boolean => {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

// Whoever sees the file sees all of it.
const write = (path: string, text: string): void => {
  writeFileSync(`${path}.part`, text)
  renameSync(`${path}.part`, path)
}
