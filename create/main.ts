#!/usr/bin/env node
// The commands of the package: `npx effect-framework new my-app`, and `effect-framework dev` and `build` in that project.
import * as NodeVersion from "./NodeVersion.ts"

await NodeVersion.requireVersion(async () => {
  const [name, entry = "src/main.ts", ...args] = process.argv.slice(2)
  if (name === "dev" && !entry.startsWith("-") && !args.includes("--help")) {
    const { develop } = await import("../app/Development.ts")
    process.exitCode = await develop(entry, args, process.cwd())
    return
  }
  if (name === "build" && !process.argv.includes("--help")) {
    const { build } = await import("../app/Bundle.ts")
    process.exitCode = await build(process.argv.slice(3), process.cwd())
    return
  }
  const { command, print } = await import("./Command.ts")
  print(command(process.argv.slice(2), process.cwd()))
})
