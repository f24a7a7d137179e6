// Starts the shop: `npm run dev` while you write it, `npm start` from the build. `--help` lists its commands.
import { App } from "effect-framework"

App.run({
  name: "shop",
  app: () => import("./App.ts"),
  commands: async () => [(await import("./Customers.ts")).promote]
})
