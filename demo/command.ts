// The commands beside the server: `npm run migrate`, `seed`, `queue`, `ship`.
import * as LeastNode from "../cli/LeastNode.ts"

await LeastNode.required(async () => {
  const { runCommand } = await import("./Commands.ts")
  runCommand(process.argv.slice(2))
})
