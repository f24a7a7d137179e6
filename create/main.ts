#!/usr/bin/env node
// The command of the package: `npx effect-framework new my-app`.
import * as NodeVersion from "./NodeVersion.ts"

await NodeVersion.requireVersion(async () => {
  const { command, print } = await import("./Command.ts")
  print(command(process.argv.slice(2), process.cwd()))
})
