// A proxy that holds the first requests until all of them have arrived, and then sends them to the server at once. The
// server is stopped meanwhile, so that it reads them together: how far apart they arrive is decided by neither the browser
// nor the load of the machine.
import { Effect, type Scope } from "effect"
import { connect, createServer, type Socket } from "node:net"

/**
 * The address of a proxy in front of this server, which runs in these processes, that holds the first `count` requests,
 * each on its own connection.
 */
export const gate = (
  url: string,
  pids: ReadonlyArray<number>,
  count: number
): Effect.Effect<string, never, Scope.Scope> => {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const held: Array<() => void> = []

  const signal = (name: NodeJS.Signals): void => {
    for (const pid of pids) process.kill(pid, name)
  }

  const keep = (socket: Socket, other: Socket): void => {
    sockets.add(socket.setNoDelay(true))
    socket.on("error", () => undefined)
    socket.on("close", () => {
      sockets.delete(socket)
      other.destroy()
    })
  }

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname, () => {
      // A browser opens connections that it may never use: only one with a request counts.
      client.once("data", (head) => {
        client.pause()
        held.push(() => {
          upstream.write(head)
          client.pipe(upstream)
        })
        if (held.length === count) {
          signal("SIGSTOP")
          for (const release of held) release()
          signal("SIGCONT")
        } else if (held.length > count) held.at(-1)?.()
      })
    })
    keep(client, upstream)
    keep(upstream, client)
    upstream.pipe(client)
  })

  return Effect.acquireRelease(
    Effect.async<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`))
      })
    }),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )
}
