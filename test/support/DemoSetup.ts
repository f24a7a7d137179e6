// Bundles the demo before the first test file; tests start it often.
import type { TestProject } from "vitest/node"
import * as DemoBundle from "./DemoBundle.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the bundled demo: `main.mjs` and the views. */
    readonly demo: string
  }
}

const setup = async (project: TestProject) => {
  const { folder, remove } = await DemoBundle.make()
  project.provide("demo", folder)
  return remove
}

export default setup
