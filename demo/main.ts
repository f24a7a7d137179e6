// The demo: `npm run demo` from the sources, `npm start` from the build.
import * as LeastNode from "../cli/LeastNode.ts"

await LeastNode.required(async () => {
  const { runServer } = await import("./Serve.ts")
  runServer(process.argv.slice(2))
})
