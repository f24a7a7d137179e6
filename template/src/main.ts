// Starts the program: `npm run dev` while you write it, `npm start` from the build. `--help` lists its commands.
import { App } from "effect-framework"

App.run({ name: "my-app", app: () => import("./App.ts") })
