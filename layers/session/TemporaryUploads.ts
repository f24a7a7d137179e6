// Uploaded files in a folder of this process, deleted with their requests, and at the next start after a crash.
import { Effect, Layer, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { defaultLimit } from "../../src/http/internal/RouteOptions.ts"
import { type TemporaryFile, Uploads } from "../../src/session/internal/Uploads.ts"
import * as ProcessIds from "../http/internal/ProcessIds.ts"
import * as MultipartParser from "./internal/MultipartParser.ts"

export type { Uploads } from "../../src/session/internal/Uploads.ts"

// => 4711-2f3c9a1e-88123.9f…   the process, and one of its layers
const folderName = /^(\d+(?:-[\w-]+)?)\.[0-9a-f]{16}$/

const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

/** Deletes what processes left that no longer run. */
const removeLeftovers = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch((): ReadonlyArray<string> => [])
  const left = names.filter((name) => {
    const owner = folderName.exec(name)?.[1]
    return owner !== undefined && !ProcessIds.isAlive(owner)
  })
  await Promise.all(left.map((name) => remove(join(folder, name))))
}

// A file system of its own cannot be renamed to: the copy is complete before it gets its name.
const move = async (from: string, to: string): Promise<void> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await rename(from, to)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EXDEV")) throw error
    const copy = `${to}.${randomBytes(8).toString("hex")}.tmp`
    await copyFile(from, copy)
    await rename(copy, to)
    await rm(from, { force: true })
  }
}

class OpenFile implements TemporaryFile {
  readonly path: string
  readonly #handle: FileHandle
  #closed: Promise<void> | undefined = undefined
  #moved = false

  constructor(path: string, handle: FileHandle) {
    this.path = path
    this.#handle = handle
  }

  readonly write = (bytes: Uint8Array) => Effect.promise(() => this.#handle.writeFile(bytes))

  get finish() {
    return Effect.promise(() => this.#close())
  }
  get discard() {
    return Effect.promise(async () => {
      await this.#close()
      if (!this.#moved) await rm(this.path, { force: true })
    })
  }

  readonly persist = (path: string) =>
    Effect.uninterruptible(
      Effect.promise(async () => {
        await this.#close()
        await move(this.path, path)
        this.#moved = true
      })
    )

  #close(): Promise<void> {
    return (this.#closed ??= this.#handle.close())
  }
}

const make = (folder: string) =>
  Effect.gen(function* () {
    const name = `${ProcessIds.identify(process.pid) ?? process.pid}.${randomBytes(8).toString("hex")}`
    const own = join(folder, name)
    yield* Effect.promise(() => removeLeftovers(folder))
    yield* Effect.addFinalizer(() => Effect.promise(() => remove(own)))
    // Made with the first upload: a program without uploads has no such folder.
    const prepare = yield* Effect.cached(Effect.promise(() => mkdir(own, { recursive: true, mode: 0o700 })))
    const openFile = Effect.flatMap(prepare, () =>
      Effect.promise(async () => {
        const path = join(own, randomBytes(16).toString("hex"))
        return new OpenFile(path, await open(path, "wx", 0o600))
      })
    )
    const create: Effect.Effect<TemporaryFile, never, Scope.Scope> = Effect.acquireRelease(
      openFile,
      (file) => file.discard
    )
    return Uploads.of({ parser: (contentType) => MultipartParser.make(contentType, defaultLimit), create })
  })

/**
 * Uploads in this folder, usually `uploads` in the storage folder. Several processes may share it.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { TemporaryUploads, TrustedProxies } from "effect-framework/layers/session"
 * import type { AppConfig } from "effect-framework/layers/server"
 *
 * // For a program that puts its layers together itself; `AppLayer.layer` has both.
 * export const requests = ({ server, trusted }: AppConfig.AppConfig) =>
 *   Layer.merge(TrustedProxies.layerWith(trusted), TemporaryUploads.layer(`${server.storage}/uploads`))
 * ```
 */
export const layer = (folder: string): Layer.Layer<Uploads> => Layer.scoped(Uploads, make(folder))
