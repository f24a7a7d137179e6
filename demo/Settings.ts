// Every variable of the demo.
import * as AppConfig from "../layers/server/AppConfig.ts"
import { VERSION } from "../src/config/internal/Version.ts"

export const config = AppConfig.config("demo", { version: VERSION })

export type Settings = AppConfig.AppConfig
