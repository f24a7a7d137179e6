// A socket in the storage folder, over which commands reach the program that runs there. The folder is private: whoever can
// connect is its owner.
import { Effect, FiberSet, Option, Schema } from "effect"
import { chmodSync, mkdirSync, readdirSync, unlinkSync } from "node:fs"
import { connect, createServer, type Socket } from "node:net"
import { join } from "node:path"
import * as ProcessIds from "../layers/http/internal/ProcessIds.ts"
import * as Diagnostics from "./Diagnostics.ts"

/** What a command asks for. */
export const Request = Schema.Union(Schema.Struct({ kind: Schema.Literal("reload") }), Diagnostics.Request)
export type Request = typeof Request.Type

const Reply = Schema.Struct({ ok: Schema.Boolean, text: Schema.String })
type Reply = typeof Reply.Type

const decodeRequest = Schema.decodeUnknownOption(Schema.parseJson(Request))
const decodeReply = Schema.decodeUnknownOption(Schema.parseJson(Reply))

/** The text that the command prints; a failure is printed as well. */
type Handler = (request: Request) => Effect.Effect<string, { readonly message: string }>

const maxLength = 1024

/** The first line that the socket brings; what comes without one is dropped. */
const readLine = (socket: Socket, limit: number, use: (line: string) => void): void => {
  let text = ""
  let isRead = false
  socket.setEncoding("utf8").on("data", (part: string) => {
    text += part
    const end = text.indexOf("\n")
    if (isRead) return
    if (end >= 0) {
      isRead = true
      use(text.slice(0, end))
    } else if (text.length > limit) socket.destroy()
  })
}

const extension = ".sock"

// Of processes that were killed.
const removeDead = (folder: string): void => {
  for (const file of readdirSync(folder)) {
    if (file.endsWith(extension) && !ProcessIds.isAlive(file.slice(0, -extension.length)))
      unlinkSync(join(folder, file))
  }
}

/** Handles the commands until the scope closes. */
export const serve = (folder: string, handler: Handler) =>
  Effect.gen(function* () {
    const fork = yield* FiberSet.makeRuntime<never>()
    const server = createServer((socket) => {
      socket.on("error", () => undefined)
      const reply = (answer: Reply) => socket.end(`${JSON.stringify(answer)}\n`)
      readLine(socket, maxLength, (line) =>
        Option.match(decodeRequest(line), {
          onNone: () => reply({ ok: false, text: "this version of the program does not know that command" }),
          onSome: (request) =>
            fork(
              Effect.match(handler(request), {
                onSuccess: (text) => reply({ ok: true, text }),
                onFailure: ({ message }) => reply({ ok: false, text: message })
              })
            )
        })
      )
    }).unref()
    const path = join(folder, `${ProcessIds.identify(process.pid) ?? process.pid}${extension}`)
    const listening = Effect.async<void, Error>((resume) => {
      const onError = (error: Error) => resume(Effect.fail(error))
      server.once("error", onError).listen(path, () => {
        server.off("error", onError)
        chmodSync(path, 0o600)
        resume(Effect.void)
      })
    })
    const close = Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))
    yield* Effect.try(() => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      removeDead(folder)
    })
    // Connections of commands that still wait are cut with the process.
    yield* Effect.acquireRelease(listening, () => Effect.timeoutOption(Effect.interruptible(close), "100 millis"))
  }).pipe(
    // The program also runs without it: a path may be too long for a socket, or its disk may have none.
    Effect.catchAll((error) =>
      Effect.logWarning("The commands reload, heap and profile cannot reach this process", error)
    )
  )

const ask = (path: string, request: Request): Effect.Effect<Option.Option<Reply>> =>
  Effect.async((resume) => {
    const socket = connect(path, () => socket.write(`${JSON.stringify(request)}\n`))
    readLine(socket, 64 * maxLength, (line) => resume(Effect.succeed(decodeReply(line))))
    socket.on("error", () => resume(Effect.succeedNone)).on("close", () => resume(Effect.succeedNone))
    return Effect.sync(() => socket.destroy())
  })

const socketsIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).filter((file) => file.endsWith(extension))
  } catch {
    return []
  }
}

/** What each program that runs in the folder replies. */
export const send = (folder: string, request: Request): Effect.Effect<ReadonlyArray<Reply>> =>
  Effect.suspend(() =>
    Effect.forEach(socketsIn(folder), (file) => ask(join(folder, file), request), { concurrency: "unbounded" })
  ).pipe(Effect.map((replies) => replies.flatMap(Option.toArray)))
