// The demo: `npm run demo` from the sources, `npm start` from the build. Its commands are arguments: `migrate`, `seed`, …
import * as NodeVersion from "../create/NodeVersion.ts"

await NodeVersion.requireVersion(async () => {
  const [App, { program }] = await Promise.all([import("../app/App.ts"), import("./Program.ts")])
  App.run(program)
})
