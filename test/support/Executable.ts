// Whether a program is there to be run.
import { accessSync, constants } from "node:fs"

/** Whether this user may run the file of this path. */
export const runs = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
