// The framework as it is installed: its manifest and the template folder.
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The parts of `package.json` that a new project uses. */
export interface Manifest {
  readonly version: string
  /** The versions that the package itself is tested with, its peers among them. */
  readonly devDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
  readonly overrides: Readonly<Record<string, string>>
  readonly allowScripts: Readonly<Record<string, boolean>>
  readonly engines: { readonly node: string }
}

// Beside the bundle of `create-effect-framework`, one folder up from the sources, two from the build.
const root = ["./", "../", "../../"]
  .map((up) => new URL(up, import.meta.url))
  .find((folder) => existsSync(new URL("template", folder)))

const within = (name: string): string => fileURLToPath(new URL(name, root ?? import.meta.url))

/** The folder that a new project is copied from. */
export const template = within("template")

// A boundary: this is our own file.
export const manifest = JSON.parse(readFileSync(within("package.json"), "utf8")) as Manifest
