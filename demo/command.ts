// The commands beside the server: `npm run migrate`, `seed`, `queue`, `ship`.
import * as NodeVersion from "../cli/NodeVersion.ts"

await NodeVersion.requireVersion(async () => {
  const { runCommand } = await import("./Commands.ts")
  runCommand(process.argv.slice(2))
})
