// The demo: `npm run demo` from the sources, `npm start` from the build.
import { run } from "./Run.ts"
import { program } from "./Program.ts"

run(program)
