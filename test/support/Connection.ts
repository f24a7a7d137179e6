// One keep-alive connection to a server: a request is sent at the moment of the call, and the connection can be broken.
import { connect, type Socket } from "node:net"

export interface Reply {
  readonly status: number
  readonly location: string | undefined
  /** The values of the cookies that it sets, by name; empty for one that it clears. */
  readonly cookies: ReadonlyMap<string, string>
  /** Identifies the process of a server that sent it. */
  readonly process: string
}

/** A request with a head alone, such as a `POST` without a body. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

const headEnd = "\r\n\r\n"

const replyOf = (head: string): Reply => {
  const [start = "", ...lines] = head.split("\r\n")
  const fields = lines.map((line): [string, string] => {
    const at = line.indexOf(":")
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  const valueOf = (name: string) => fields.find(([field]) => field === name)?.[1]
  const cookies = fields
    .filter(([name]) => name === "set-cookie")
    .map(([, line]) => /^([^=]+)=([^;]*)/.exec(line))
    .map((match): [string, string] => [match?.[1] ?? "", match?.[2] ?? ""])
  return {
    status: Number(start.split(" ")[1]),
    location: valueOf("location"),
    cookies: new Map(cookies),
    process: (valueOf("x-request-id") ?? "").split("-")[0] ?? ""
  }
}

export class Connection {
  readonly #socket: Socket
  #received = ""
  #waiting: { readonly resolve: (reply: Reply) => void; readonly reject: (error: Error) => void } | undefined

  private constructor(socket: Socket) {
    this.#socket = socket.setEncoding("latin1").setNoDelay(true)
    socket.on("data", (chunk) => {
      this.#received += String(chunk)
      this.#read()
    })
    socket.on("error", () => undefined)
    socket.on("close", () => this.#waiting?.reject(new Error("the connection was closed without a response")))
  }

  static open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new Connection(socket)))
      socket.once("error", reject)
    })
  }

  /** Sends a `GET` with these cookies. */
  get(path: string, cookies: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const cookie = Object.entries(cookies)
      .map(([name, value]) => `${name}=${value}`)
      .join("; ")
    return this.send({ method: "GET", path, headers: cookie === "" ? {} : { cookie } })
  }

  /** Sends the request at once; resolves when the whole response has been read. */
  send({ headers = {}, method, path }: Sent): Promise<Reply> {
    const given = { host: "localhost", ...(method === "GET" ? {} : { "content-length": "0" }), ...headers }
    const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}`)
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) return reject(new Error("the connection is already closed"))
      this.#waiting = { resolve, reject }
      this.#socket.write([`${method} ${path} HTTP/1.1`, ...lines].join("\r\n") + headEnd)
    })
  }

  close(): void {
    this.#waiting = undefined
    this.#socket.destroy()
  }

  #read(): void {
    const end = this.#received.indexOf(headEnd)
    if (end === -1) return
    const head = this.#received.slice(0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    if (this.#received.length < end + headEnd.length + length) return
    this.#received = this.#received.slice(end + headEnd.length + length)
    this.#waiting?.resolve(replyOf(head))
    this.#waiting = undefined
  }
}
