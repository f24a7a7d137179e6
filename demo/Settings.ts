// Every variable of the demo.
import * as ProgramSettings from "../layers/server/ProgramSettings.ts"
import { VERSION } from "../src/server/Version.ts"

export const config = ProgramSettings.config("demo", { version: VERSION })

export type Settings = ProgramSettings.Settings
