// A job that fails, as text for a terminal and for a page, and the environment of a name.
import { Effect } from "effect"
import { Environment } from "effect-framework/config"
import { Sources, Throwables } from "effect-framework/errors"

const job = Effect.fail(new Error("The kettle is <empty>"))

const program = Effect.gen(function* () {
  const cause = yield* Effect.flip(Effect.sandbox(job))
  console.log(yield* Throwables.render(cause, { target: "html", verbosity: 1 }))
  const page = yield* Throwables.page(cause, { Order: { cup: "blue", password: "hunter2" } })
  console.log(page.includes("The kettle is &lt;empty&gt;</h1>"), page.includes("blue"), page.includes("hunter2"))
})

await Effect.runPromise(Effect.provide(program, Sources.layerNone))

console.log(Environment.fetch("development"), Environment.fetch("Development"))
