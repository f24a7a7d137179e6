// Starts the program: `npm run dev` while you write it, `npm start` from the build. `--help` lists its commands.
import { Cli } from "effect-framework"

Cli.run({ name: "my-app", app: () => import("./App.ts") })
