// The commands beside the server: `npm run migrate`, `seed`, `queue`, `ship`.
import { runCommand } from "./Commands.ts"

runCommand(process.argv.slice(2))
