#!/usr/bin/env node
// The command of `create-effect-framework`: `npm create effect-framework my-app`.
import * as NodeVersion from "./NodeVersion.ts"

await NodeVersion.requireVersion(async () => {
  const { create, print } = await import("./Command.ts")
  print(create(process.argv.slice(2), process.cwd()))
})
