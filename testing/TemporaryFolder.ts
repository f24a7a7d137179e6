// A folder for the files of one test.
import { Context, Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The path of the folder. */
export class TemporaryFolder extends Context.Tag("effect-framework/testing/TemporaryFolder")<
  TemporaryFolder,
  string
>() {}

/** A fresh folder, deleted when the scope closes. */
export const layer: Layer.Layer<TemporaryFolder> = Layer.scoped(
  TemporaryFolder,
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "effect-framework-test-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
)
