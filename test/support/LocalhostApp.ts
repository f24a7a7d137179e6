// The authentication routes behind an address that is known before they start, under the name of `localhost`: passkeys
// belong to the origin of APP_URL, and a browser has them only in a secure context.
import { Context, Effect, Layer } from "effect"
import { connect, createServer, type Server } from "node:net"
import * as AuthApp from "./AuthApp.ts"
import type { TestEngine } from "./Databases.ts"

export class LocalhostApp extends Context.Tag("test/LocalhostApp")<
  LocalhostApp,
  { /** The origin of APP_URL. */ readonly origin: string }
>() {}

interface Proxy {
  readonly server: Server
  readonly port: number
  target: number
}

// Bytes go to the app unchanged, so that it sees the `Host` of the browser.
const listen = Effect.async<Proxy>((resume) => {
  const server = createServer((socket) => {
    const onward = connect(proxy.target, "127.0.0.1")
    socket.pipe(onward).pipe(socket)
    socket.on("error", () => onward.destroy())
    onward.on("error", () => socket.destroy())
  })
  const proxy: Proxy = { server, port: 0, target: 0 }
  server.listen(0, "localhost", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    resume(Effect.succeed(Object.assign(proxy, { port })))
  })
})

const close = ({ server }: Proxy) => Effect.sync(() => void server.close())

/** The whole app on a database of its own, with `localhost` as its site. */
export const layer = (database: TestEngine, options: AuthApp.Options = {}) =>
  Layer.unwrapScoped(
    Effect.map(Effect.acquireRelease(listen, close), (proxy) => {
      const origin = `http://localhost:${proxy.port}`
      const app = AuthApp.layer(database, { ...options, values: { ...options.values, appUrl: origin } })
      const started = Effect.map(AuthApp.AuthApp, ({ url }) => {
        proxy.target = Number(new URL(url).port)
        return { origin }
      })
      return Layer.provideMerge(Layer.effect(LocalhostApp, started), app)
    })
  )
