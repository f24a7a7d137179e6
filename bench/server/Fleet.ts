// The demo with its command line and one route more: `WORKERS=2` serves with two processes under a supervisor.
import { run } from "../../app/App.ts"
import * as App from "../../demo/App.ts"
import { program } from "../../demo/Program.ts"
import type { Settings } from "../../demo/Settings.ts"
import * as Hello from "./Hello.ts"

run({
  ...program,
  app: async () => ({ ...App, layer: (settings: Settings) => App.layer(settings, [Hello.route]) })
})
