// A client that a foreign generator makes of an OpenAPI document, compiled and run as a program of its own.
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import openapiTypescript, { astToString } from "openapi-typescript"
import { root } from "./NodeProcess.ts"

const run = promisify(execFile)

const settings = {
  strict: true,
  noEmit: true,
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "generated-client-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

type Failed = { readonly stdout: string; readonly stderr: string }

/**
 * The types of the document are `./schema.ts` of the program. Gives what the compiler refuses and what the program prints;
 * nothing of the latter when it does not compile.
 */
export const compileAndRun = (document: string, program: string, args: ReadonlyArray<string>) =>
  Effect.flatMap(folder, (path) =>
    Effect.promise(async () => {
      writeFileSync(join(path, "schema.ts"), astToString(await openapiTypescript(document)))
      writeFileSync(join(path, "main.ts"), program)
      writeFileSync(join(path, "package.json"), JSON.stringify({ type: "module" }))
      writeFileSync(join(path, "tsconfig.json"), JSON.stringify({ compilerOptions: settings, files: ["main.ts"] }))
      symlinkSync(join(root, "node_modules"), join(path, "node_modules"))
      const require = createRequire(import.meta.url)
      const refused = await run(process.execPath, [
        join(root, "node_modules", "typescript-7", "bin", "tsc"),
        "-p",
        path
      ]).then(
        () => "",
        ({ stdout }: Failed) => stdout
      )
      if (refused !== "") return { refused, printed: "" }
      const command = [require.resolve("tsx/cli"), join(path, "main.ts"), ...args]
      const printed = await run(process.execPath, command).then(
        ({ stdout }) => stdout,
        ({ stderr, stdout }: Failed) => stdout + stderr
      )
      return { refused, printed }
    })
  )
