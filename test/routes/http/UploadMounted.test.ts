// Uploads on Effect's stock server, and the temporary files of processes that crashed.
import { HttpLayerRouter } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Option, pipe, Scope } from "effect"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as TemporaryUploads from "../../../layers/session/TemporaryUploads.ts"
import * as ProcessIds from "../../../layers/http/internal/ProcessIds.ts"
import * as Mount from "../../../layers/server/Mount.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import * as Upload from "../../../routes/session/Upload.ts"
import { Uploads } from "../../../src/session/internal/Uploads.ts"
import * as Multipart from "../../support/Multipart.ts"
import * as Serving from "../../support/Serving.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "uploads-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const filesIn = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map(({ name }) => name)

const form = Upload.make({ files: { picture: { maxSize: "1 MiB", types: ["image/png"] } } })

const save = (kept: string) =>
  Effect.gen(function* () {
    const { files } = yield* Upload.read(form)
    yield* files.picture.persist(kept)
    return Respond.json({ size: files.picture.size })
  })

describe("An upload on the stock server", () => {
  it.scopedLive("is received, refused with its form, and leaves nothing behind", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const kept = join(path, "kept.png")
      const uploads = join(path, "uploads")
      const route = pipe(HttpLayerRouter.route("POST", "/pictures", save(kept)), Upload.route(form))
      const listening = yield* Deferred.make<number>()
      const create = () => {
        const server = Mount.createServer()
        return server.once("listening", () => {
          const address = server.address()
          Deferred.unsafeDone(listening, Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0))
        })
      }
      const mount = HttpLayerRouter.serve(HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.stateless([route]))), {
        disableLogger: true
      }).pipe(
        Layer.provide(Layer.merge(Serving.support(), TemporaryUploads.layer(uploads))),
        Layer.provide(NodeHttpServer.layer(create, { port: 0, host: "127.0.0.1" }))
      )
      yield* Effect.forkScoped(Layer.launch(mount))
      const url = `http://127.0.0.1:${yield* Deferred.await(listening)}/pictures`
      const send = (content: Buffer, type = "image/png") =>
        Effect.promise(async () => {
          const response = await fetch(url, {
            method: "POST",
            body: Multipart.body({ name: "picture", filename: "a.png", type, content }),
            headers: { accept: "application/json", "content-type": Multipart.contentType }
          })
          return { status: response.status, json: (await response.json()) as unknown }
        })
      expect(yield* send(Multipart.png(500_000))).toEqual({ status: 200, json: { size: 500_000 } })
      expect(readFileSync(kept).equals(Multipart.png(500_000))).toBe(true)
      expect(yield* send(Multipart.png(1_100_000))).toMatchObject({ status: 413 })
      expect(yield* send(Multipart.png(1000), "text/html")).toMatchObject({ status: 415 })
      expect(yield* send(Buffer.alloc(0))).toMatchObject({ status: 422 })
      yield* Effect.iterate(filesIn(uploads), {
        while: (files) => files.length > 0,
        body: () =>
          Effect.delay(
            Effect.sync(() => filesIn(uploads)),
            "10 millis"
          )
      })
    })
  )
})

describe("The folder of uploads", () => {
  it.scopedLive("is made with the first file, private, and removed at the end", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "uploads")
      const scope = yield* Scope.make()
      const { create } = yield* Layer.buildWithScope(TemporaryUploads.layer(path), scope).pipe(
        Effect.flatMap((context) => Effect.provide(Uploads, context))
      )
      expect(existsSync(path)).toBe(false)
      const file = yield* create
      yield* file.write(Buffer.from("x"))
      expect(filesIn(path)).toHaveLength(1)
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      expect(readdirSync(path)).toEqual([])
    })
  )

  it.scopedLive("loses at the next start what a process left that no longer runs, and nothing else", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const living = `${Option.getOrThrow(Option.fromNullable(ProcessIds.identify(process.pid)))}.0123456789abcdef`
      const crashed = "999999999-deadbeef-1.0123456789abcdef"
      for (const name of [living, crashed, "photos"]) {
        mkdirSync(join(path, name))
        writeFileSync(join(path, name, "x"), "x")
      }
      yield* Layer.build(TemporaryUploads.layer(path))
      expect(readdirSync(path).sort()).toEqual([living, "photos"].sort())
    })
  )
})
