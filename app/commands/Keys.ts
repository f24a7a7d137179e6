// The `keys` command: rotates the key that signs guests' session cookies.
import { Command } from "@effect/cli"
import { Console, Duration, Effect, Layer } from "effect"
import * as SqlKeyRing from "../../layers/session/internal/SqlKeyRing.ts"
import * as AuthConfig from "../../src/auth/AuthConfig.ts"
import { KeyRing } from "../../src/session/internal/KeyRing.ts"
import { activationDelay } from "../../layers/session/internal/SqlKeyRing.ts"
import { group, type RunOnTables } from "./Work.ts"

const rotate = Effect.gen(function* () {
  yield* Effect.flatMap(KeyRing, (keys) => keys.rotate)
  const seconds = Duration.toSeconds(activationDelay)
  yield* Console.log(`a new key signs cookies in ${seconds} seconds; cookies of the older keys stay valid`)
  return 0
})

/** `keys rotate`. */
export const command = <E>(run: RunOnTables<E>) =>
  group("keys", "manage the keys that sign the session cookies of guests", [
    Command.make("rotate", {}, () =>
      run(({ auth }, tables) =>
        Effect.provide(rotate, Layer.provide(SqlKeyRing.layer(tables), AuthConfig.layerWith(auth)))
      )
    ).pipe(Command.withDescription("make a new key; running workers read it within a minute, no restart is needed"))
  ])
