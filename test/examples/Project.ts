// A copy of an example beside the packed package: what a reader has after `npm install`.
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Demo.ts"
import { type Packed, run } from "../support/Packed.ts"

/**
 * Copies the example; the path of the copy. Its dependencies are those of this checkout, which a test compares with its
 * `package.json`: npm would take minutes for the same files, and `test/Package.test.ts` installs a project with it.
 */
export const copy = async ({ folder, tarball }: Packed, name: string): Promise<string> => {
  const project = join(folder, name)
  const made = new Set(["node_modules", "dist", "storage"])
  mkdirSync(project)
  for (const entry of readdirSync(join(root, "examples", name)).filter((entry) => !made.has(entry))) {
    cpSync(join(root, "examples", name, entry), join(project, entry), { recursive: true })
  }
  const modules = join(project, "node_modules")
  mkdirSync(join(modules, "effect-framework"), { recursive: true })
  for (const entry of readdirSync(join(root, "node_modules")).filter((entry) => entry !== ".cache")) {
    symlinkSync(join(root, "node_modules", entry), join(modules, entry))
  }
  const target = ["-C", join(modules, "effect-framework"), "--strip-components=1"]
  await run("tar", ["-xzf", join(folder, tarball), ...target])
  return project
}
