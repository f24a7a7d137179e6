// `oidc-provider`, a certified server: its own discovery, keys, PKCE, sign-in page and consent.
import { Effect } from "effect"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

interface Server {
  readonly callback: () => Http.RequestListener
}

// A boundary: the package comes without types, and is no dependency of anyone who checks ours.
const load = async (): Promise<new (issuer: string, options: object) => Server> => {
  const name = "oidc-provider"
  const module = (await import(name)) as { readonly default: new (issuer: string, options: object) => Server }
  return module.default
}

/** What the program knows of its client there. */
export const client = { clientId: "app", clientSecret: "a secret of the client" } as const

/** Who signs in with a name like this has no address. */
export const nameless = "nameless"

/** The address of a person by the name that they type: a name with an at sign is one. */
const emailOf = (id: string) => (id.includes("@") ? id : `${id}@example.com`)

/** A server that listens until the scope ends, for a program whose callback this is; its issuer. */
export const start = (callback: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const Provider = await load()
      const server = Http.createServer()
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      // A boundary: a server that listens on a port has such an address.
      const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: client.clientId,
            client_secret: client.clientSecret,
            redirect_uris: [callback],
            token_endpoint_auth_method: "client_secret_post"
          }
        ],
        claims: { openid: ["sub"], email: ["email", "email_verified"] },
        cookies: { keys: ["a key of cookies"] },
        findAccount: (_context: unknown, id: string) => ({
          accountId: id,
          claims: () => ({ sub: id, ...(id.startsWith(nameless) ? {} : { email: emailOf(id), email_verified: true }) })
        })
      })
      server.on("request", provider.callback())
      // The first response takes long, and a program waits five seconds.
      await fetch(`${issuer}/.well-known/openid-configuration`)
      return { server, issuer }
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

/** Follows the pages of the server as a browser does, and gives its forms; the address that leads back to the program. */
export const visit = async (address: string, person: string, appUrl: string): Promise<string> => {
  const jar = new Map<string, string>()
  let [url, body]: [string, URLSearchParams | undefined] = [address, undefined]
  for (let step = 0; step < 12; step++) {
    const response: Response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: Array.from(jar, ([name, value]) => `${name}=${value}`).join("; ") },
      ...(body === undefined ? {} : { method: "POST", body })
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const location = response.headers.get("location")
    if (location !== null) {
      const next = new URL(location, url)
      if (next.origin === appUrl) return `${next.pathname}${next.search}`
      ;[url, body] = [next.href, undefined]
      continue
    }
    const page = await response.text()
    const [, action = ""] = /<form[^>]* action="([^"]+)"/.exec(page) ?? []
    const prompt = page.includes('name="login"') ? "login" : "consent"
    url = new URL(action, url).href
    body = new URLSearchParams(prompt === "login" ? { prompt, login: person, password: "any" } : { prompt })
  }
  throw new Error("The server did not lead back")
}
