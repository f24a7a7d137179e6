// `layer` of @effect/vitest replaces `it.effect` and the others on the one `it` of the process. Files that share a process
// each begin with the original ones.
import { it } from "@effect/vitest"
import { GlobalValue } from "effect"

Object.assign(
  it,
  GlobalValue.globalValue("effect-framework/test/methods", () => ({ ...it }))
)
