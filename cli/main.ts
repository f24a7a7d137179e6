#!/usr/bin/env node
// The command of the package: `npx effect-framework new my-app`.
import * as NodeVersion from "./NodeVersion.ts"

await NodeVersion.requireVersion(async () => {
  const { command } = await import("./Command.ts")
  const { err, out, status } = command(process.argv.slice(2), process.cwd())
  process.stdout.write(out)
  process.stderr.write(err)
  process.exitCode = status
})
