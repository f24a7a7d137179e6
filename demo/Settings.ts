// Every variable of the demo.
import * as ProgramSettings from "../layers/server/ProgramSettings.ts"

export const config = ProgramSettings.config("demo")

export type Settings = ProgramSettings.Settings
