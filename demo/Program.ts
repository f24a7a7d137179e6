// The demo as a program: its app, and `seed` beside the commands that every program has.
import type { Options } from "../app/Program.ts"
import { VERSION } from "../src/config/internal/Version.ts"

export const program = {
  name: "demo",
  version: VERSION,
  app: () => import("./App.ts"),
  commands: async () => [(await import("./Seed.ts")).command]
} satisfies Options<unknown, unknown>
