// The demo: `npm run demo` from the sources, `npm start` from the build.
import * as NodeVersion from "../cli/NodeVersion.ts"

await NodeVersion.requireVersion(async () => {
  const { runServer } = await import("./Serve.ts")
  runServer(process.argv.slice(2))
})
