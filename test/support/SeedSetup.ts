// Every property of `npm test` runs with one seed: what passed passes again. `npm run fuzz` looks for more.
import * as FastCheck from "effect/FastCheck"
import { seed } from "./Seed.ts"

FastCheck.configureGlobal({ seed })
