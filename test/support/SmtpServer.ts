// A real SMTP server on a free loopback port, and servers that misbehave.
import { Effect, Schedule, type Scope } from "effect"
import * as Net from "node:net"
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"

export interface Received {
  readonly from: string
  readonly to: ReadonlyArray<string>
  readonly raw: string
  readonly secure: boolean
  readonly user: unknown
  readonly connection: string
}

export interface Running {
  readonly port: number
  readonly received: ReadonlyArray<Received>
  /** The ids of the connections so far. */
  readonly connections: ReadonlySet<string>
  /** Closes every connection with a 421 and stops the server. */
  readonly stop: Effect.Effect<void>
  /** Destroys every connection and stops the server, as when the machine crashes. */
  readonly crash: () => void
}

export interface Behaviour {
  /** 0 takes a free one. */
  readonly port?: number
  readonly options?: SMTPServerOptions
  /** Runs when the whole message has arrived, before the server accepts it; an error that it throws refuses the message. */
  readonly onMessage?: (message: Received, session: SMTPServerSession) => Promise<void> | void
}

/** A refusal with this status. */
export const refusal = (responseCode: number, message = "no"): Error =>
  Object.assign(new Error(message), { responseCode })

const readAll = async (stream: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}

/** A server that accepts every message by default; authentication is off unless `options.onAuth` is there. */
export const serve = ({ port = 0, options = {}, onMessage }: Behaviour = {}): Effect.Effect<
  Running,
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const connections = new Set<string>()
    const sockets = new Set<Net.Socket>()
    const server = new SMTPServer({
      authOptional: options.onAuth === undefined,
      ...(options.onAuth === undefined && { disabledCommands: ["AUTH"] }),
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 1,
      onConnect: (session, callback) => {
        connections.add(session.id)
        callback()
      },
      onData: (stream, session, callback) => {
        const { mailFrom, rcptTo } = session.envelope
        readAll(stream)
          .then(async (raw) => {
            const message: Received = {
              from: mailFrom === false ? "" : mailFrom.address,
              to: rcptTo.map(({ address }) => address),
              raw,
              secure: session.secure,
              user: session.user,
              connection: session.id
            }
            await onMessage?.(message, session)
            received.push(message)
            callback(null)
          })
          .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error))))
      },
      ...options
    })
    // Clients that disconnect in the middle are part of the tests.
    server.on("error", () => {})
    const stop = Effect.async<void>((resume) => {
      server.close(() => resume(Effect.void))
    })
    server.server.on("connection", (socket) => sockets.add(socket))
    const crash = () => {
      for (const socket of sockets) socket.destroy()
      server.close(() => {})
    }
    yield* Effect.acquireRelease(listen(server.server, port), () => stop)
    return { port: portOf(server.server), received, connections, stop, crash }
  })

/** Any other server: `handle` gets each connection. */
export const serveRaw = (handle: (socket: Net.Socket) => void) =>
  Effect.gen(function* () {
    const sockets = new Set<Net.Socket>()
    const server = Net.createServer((socket) => {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => sockets.delete(socket))
      handle(socket)
    })
    yield* Effect.acquireRelease(listen(server, 0), () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
    )
    return { port: portOf(server), sockets: sockets as ReadonlySet<Net.Socket> }
  })

// A port that was free a moment ago may be the local end of another program's connection: it is tried until it is free.
const listen = (server: Net.Server, port: number): Effect.Effect<void> =>
  Effect.async<void, Error>((resume) => {
    const fail = (error: Error) => resume(Effect.fail(error))
    server.once("error", fail).listen(port, "127.0.0.1", () => {
      server.off("error", fail)
      resume(Effect.void)
    })
  }).pipe(Effect.retry(Schedule.spaced("50 millis")), Effect.orDie)

const portOf = (server: Net.Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}
