// A project with the packed package: what a reader has after `npm install`.
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Demo.ts"
import { type Packed, run } from "../support/Packed.ts"

/** Copies the example and installs it; the path of the copy. */
export const copy = async (packed: Packed, name: string): Promise<string> => {
  const project = join(packed.folder, name)
  const made = new Set(["node_modules", "dist", "storage"])
  mkdirSync(project)
  for (const entry of readdirSync(join(root, "examples", name)).filter((entry) => !made.has(entry))) {
    cpSync(join(root, "examples", name, entry), join(project, entry), { recursive: true })
  }
  await link(packed, project)
  return project
}

/**
 * Gives a project the packed package, and the other packages of this checkout, which tests compare with its `package.json`:
 * npm would take minutes for the same files, and `test/Package.test.ts` installs a project with it.
 */
export const link = async ({ folder, tarball }: Packed, project: string): Promise<void> => {
  const modules = join(project, "node_modules")
  mkdirSync(join(modules, "effect-framework"), { recursive: true })
  for (const entry of readdirSync(join(root, "node_modules")).filter((entry) => entry !== ".cache")) {
    symlinkSync(join(root, "node_modules", entry), join(modules, entry))
  }
  const target = ["-C", join(modules, "effect-framework"), "--strip-components=1"]
  await run("tar", ["-xzf", join(folder, tarball), ...target])
}
