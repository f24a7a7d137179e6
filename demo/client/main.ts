// A command-line client of the demo: `npm run client -- sign-in demo@example.com`, `articles`, `sign-out`.
import { Command, type ValidationError } from "@effect/cli"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { Console, Effect, Layer } from "effect"
import { VERSION } from "../../src/config/internal/Version.ts"
import { client } from "./Commands.ts"
import * as Connection from "./Connection.ts"
import * as SessionFile from "./SessionFile.ts"

const run = Command.run(client, { name: "client", version: VERSION })

const services = Layer.mergeAll(NodeContext.layer, SessionFile.layer, Connection.layer)

// A wrong argument is explained by the parser already.
const explained = (failure: { readonly _tag: string; readonly message?: string } | ValidationError.ValidationError) =>
  failure._tag === "Problem" || failure._tag === "ConfigError"
    ? Console.error("message" in failure ? failure.message : String(failure))
    : Effect.void

const program = run(process.argv).pipe(
  Effect.as(0),
  Effect.catchAll((failure) => Effect.as(explained(failure), 1)),
  Effect.provide(services)
)

process.exitCode = await Effect.runPromise(program)
