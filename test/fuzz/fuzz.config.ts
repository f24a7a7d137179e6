// How vitest runs the properties.
import { defineConfig } from "vitest/config"
import { fuzz } from "../../vitest.config.ts"

export default defineConfig(fuzz)
