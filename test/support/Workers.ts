// A client of two workers that share a port: it decides which of them gets a request.
import { Agent, request } from "node:http"
import { newAddress } from "../../testing/PrivateAddress.ts"

export interface Answer {
  readonly status: number
  readonly json: unknown
  /** Identifies the worker that sent it. */
  readonly worker: string
}

/** A request to one worker. */
export interface Ask {
  readonly method: string
  readonly path: string
  readonly json?: unknown
}

type Headers = Readonly<Record<string, string>>

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A client with its own cookies, or with the bearer of a session. */
export class WorkerClient {
  readonly #url: string
  readonly #address = newAddress()
  readonly jar = new Map<string, string>()
  bearer: string | undefined

  constructor(url: string, bearer?: string) {
    this.#url = url
    this.bearer = bearer
  }

  /** Another client with the same cookies. */
  copy(): WorkerClient {
    const other = new WorkerClient(this.#url, this.bearer)
    for (const [name, value] of this.jar) other.jar.set(name, value)
    return other
  }

  /** Sends it to the worker of this name. */
  async send(worker: string, ask: Ask): Promise<Answer> {
    return (await this.prepare(worker, ask))()
  }

  /** Connects to the worker and reads a token; the request itself is sent by the result. */
  async prepare(worker: string, { json, method, path }: Ask): Promise<() => Promise<Answer>> {
    for (;;) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const probe = await this.#exchange(agent, "GET", "/csrf")
      if (probe.worker !== worker) {
        agent.destroy()
        continue
      }
      const { token } = probe.json as { readonly token: string }
      const headers = method === "GET" || this.bearer !== undefined ? {} : { "x-csrf-token": token }
      const body = method === "GET" || method === "DELETE" ? undefined : JSON.stringify(json ?? {})
      return () => this.#exchange(agent, method, path, headers, body).finally(() => agent.destroy())
    }
  }

  #exchange(agent: Agent, method: string, path: string, more: Headers = {}, body?: string): Promise<Answer> {
    const cookie = Array.from(this.jar, (pair) => pair.join("=")).join("; ")
    const headers = {
      accept: "application/json",
      "x-forwarded-for": this.#address,
      ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
      ...(this.bearer === undefined ? cookie !== "" && { cookie } : { authorization: `Bearer ${this.bearer}` }),
      ...more
    }
    return new Promise((resolve, reject) => {
      const sent = request(this.#url + path, { agent, method, headers }, (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk) => (text += String(chunk)))
        response.on("error", reject)
        response.on("end", () => {
          for (const line of response.headers["set-cookie"] ?? []) this.#keep(line)
          const worker = String(response.headers["x-request-id"]).split("-")[0] ?? ""
          resolve({ status: response.statusCode ?? 0, json: parsed(text), worker })
        })
      })
      sent.on("error", reject)
      sent.end(body)
    })
  }

  #keep(line: string): void {
    const [pair = ""] = line.split(";")
    const at = pair.indexOf("=")
    if (/max-age=0/i.test(line)) this.jar.delete(pair.slice(0, at))
    else this.jar.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

/** The names of the two workers. The system chooses who accepts, so connections are opened until both have. */
export const namesOf = async (url: string): Promise<readonly [string, string]> => {
  const names = new Set<string>()
  while (names.size < 2) {
    const agent = new Agent({ maxSockets: 1 })
    const name = await new Promise<string>((resolve, reject) => {
      request(`${url}/csrf`, { agent }, (response) => {
        response.resume()
        response.on("end", () => resolve(String(response.headers["x-request-id"]).split("-")[0] ?? ""))
      })
        .on("error", reject)
        .end()
    })
    agent.destroy()
    names.add(name)
  }
  const [one = "", two = ""] = names
  return [one, two]
}
