// Bytes over a socket, for what no HTTP client would send.
import { Effect } from "effect"
import { connect } from "node:net"

/** Sends the text and returns what is received until the server closes the connection or `seen` returns true. */
export const exchange = (port: number, text: string, seen?: (received: string) => unknown): Effect.Effect<string> =>
  Effect.async((resume) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text))
    let received = ""
    socket.setEncoding("latin1")
    socket.on("data", (chunk) => {
      received += String(chunk)
      if (seen?.(received) === true) socket.destroy()
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

/** A request as text, with `Connection: close` so that the connection ends with the response. */
export const request = (line: string, headers: ReadonlyArray<string> = [], body = ""): string =>
  `${line}\r\n${["Host: localhost", "Connection: close", ...headers].join("\r\n")}\r\n\r\n${body}`
