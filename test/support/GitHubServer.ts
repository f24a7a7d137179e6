// A server in the place of GitHub: it exchanges any code, and says of the person what the test says.
import { Effect } from "effect"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

/** What it says: by its API of the person and their addresses, and for a code. */
export interface Said {
  readonly user?: unknown
  readonly emails?: unknown
  readonly token?: unknown
}

/** Listens until the scope ends; its address. */
export const start = ({ emails, token, user }: Said) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = Http.createServer((request, response) => {
          const send = (body: unknown) =>
            response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
          if (request.url === "/user") return send(user)
          if (request.url === "/user/emails") return send(emails)
          return send(token ?? { access_token: "a", token_type: "bearer", scope: "user:email" })
        })
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        return server
      }),
      (server) => Effect.sync(() => void server.close())
    ),
    // A boundary: a server that listens on a port has such an address.
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  )
