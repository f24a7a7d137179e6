import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { connect } from "node:net"
import * as Respond from "../../../routes/session/Respond.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Raw from "../../support/Raw.ts"
import * as Serving from "../../support/Serving.ts"

const echo = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  Effect.map(request.text, (text) => Respond.json({ served: text }))
)
const served = Effect.sync(() => Respond.json({ served: true }))

const routes = [
  HttpLayerRouter.route("GET", "/", served),
  HttpLayerRouter.route("GET", "/a", served),
  HttpLayerRouter.route("OPTIONS", "/a", served),
  HttpLayerRouter.route("POST", "/a", echo)
]

const host = "Host: localhost"
const get = (line: string, ...headers: ReadonlyArray<string>) => `${line}\r\n${[host, ...headers].join("\r\n")}\r\n\r\n`
const post = (headers: ReadonlyArray<string>, body: string) =>
  `POST /a HTTP/1.1\r\n${[host, ...headers].join("\r\n")}\r\n\r\n${body}`
const chunked = (body: string) => post(["Transfer-Encoding: chunked"], body)
const headed = (...lines: ReadonlyArray<string>) => `GET /a HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`
const smuggled = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"

const malformed: ReadonlyArray<readonly [name: string, bytes: string]> = [
  // The request line.
  ["nonsense", "NONSENSE\r\n\r\n"],
  ["HTTP/0.9 with its version", get("GET /a HTTP/0.9")],
  ["HTTP/0.9 without one", "GET /a\r\n\r\n"],
  ["HTTP/1.2", get("GET /a HTTP/1.2")],
  ["HTTP/1.9", get("GET /a HTTP/1.9")],
  ["HTTP/2.0", get("GET /a HTTP/2.0")],
  ["HTTP/3.0", get("GET /a HTTP/3.0")],
  ["HTTP/1", get("GET /a HTTP/1")],
  ["HTTP/11", get("GET /a HTTP/11")],
  ["HTTP/1.10", get("GET /a HTTP/1.10")],
  ["HTTP/01.1", get("GET /a HTTP/01.1")],
  ["HTTP/1,1", get("GET /a HTTP/1,1")],
  ["HTTP/-1.1", get("GET /a HTTP/-1.1")],
  ["http/1.1 in lower case", get("GET /a http/1.1")],
  ["HTTPS/1.1", get("GET /a HTTPS/1.1")],
  ["DESCRIBE over RTSP", get("DESCRIBE /a RTSP/1.0")],
  ["DESCRIBE behind a good request", smuggled + get("DESCRIBE /a RTSP/1.0")],
  ["ICE/1.0", get("SOURCE /a ICE/1.0")],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["an unknown method", get("BREW /a HTTP/1.1")],
  ["a method in lower case", get("get /a HTTP/1.1")],
  ["a method with a control character", get("GE\x01T /a HTTP/1.1")],
  ["no method", get(" /a HTTP/1.1")],
  ["no target", get("GET  HTTP/1.1")],
  ["no target and one blank", get("GET HTTP/1.1")],
  ["a blank in the target", get("GET /a b HTTP/1.1")],
  ["a tab in the target", get("GET /a\tb HTTP/1.1")],
  ["a tab after the method", get("GET\t/a HTTP/1.1")],
  ["two blanks after the target", get("GET /a  HTTP/1.1 ")],
  ["a fragment", get("GET /a#b HTTP/1.1")],
  ["a fragment after the query", get("GET /a?b#c HTTP/1.1")],
  ["an empty fragment", get("GET /a# HTTP/1.1")],
  ["a NUL in the target", get("GET /a\0 HTTP/1.1")],
  ["a control character in the target", get("GET /a\x07 HTTP/1.1")],
  ["a delete character in the target", get("GET /a\x7f HTTP/1.1")],
  ["a byte that is not ASCII in the target", get("GET /a\xe9 HTTP/1.1")],
  ["a bare carriage return in the request line", get("GET /a HTTP/1.1\rX")],
  ["a target that is no path", get("GET a HTTP/1.1")],
  ["an asterisk with GET", get("GET * HTTP/1.1")],
  ["an absolute target of another host", get("GET http://evil.example/a HTTP/1.1")],
  ["an absolute target of this host", get("GET http://localhost/a HTTP/1.1")],
  ["an absolute target with https", get("GET https://localhost/a HTTP/1.1")],
  ["an absolute target with a user", get("GET http://u:p@localhost/a HTTP/1.1")],
  ["an absolute target of a file", get("GET file:///etc/passwd HTTP/1.1")],
  ["CONNECT", get("CONNECT evil.example:443 HTTP/1.1")],
  ["a target of 20,000 characters", get(`GET /${"a".repeat(20_000)} HTTP/1.1`)],
  ["a start of TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"],
  ["a start of SSH", "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
  ["a line of SMTP", "EHLO localhost\r\n\r\n"],
  ["NULs", "\0\0\0\0\r\n\r\n"],
  // Host.
  ["no host", headed("Connection: keep-alive")],
  ["an empty host", headed("Host:")],
  ["a host of blanks", headed("Host:    ")],
  ["two hosts", headed("Host: localhost", "Host: evil.example")],
  ["the same host twice", headed("Host: localhost", "Host: localhost")],
  ["two hosts in another case", headed("Host: localhost", "hOST: evil.example")],
  ["two hosts in one line", headed("Host: localhost, evil.example")],
  ["a host with a user", headed("Host: user@localhost")],
  ["a host with a user and a password", headed("Host: user:secret@localhost")],
  ["a host with a path", headed("Host: localhost/a")],
  ["a host with a query", headed("Host: localhost?a")],
  ["a host with a fragment", headed("Host: localhost#a")],
  ["a host with a scheme", headed("Host: http://localhost")],
  ["a host with a blank", headed("Host: local host")],
  ["a host with a tab", headed("Host: local\thost")],
  ["a host with a backslash", headed("Host: local\\host")],
  ["a host with a percent sign", headed("Host: local%68ost")],
  ["a host that is not ASCII", headed("Host: l\xf6calhost")],
  ["a host with markup", headed("Host: <script>")],
  ["a host with a port that is none", headed("Host: localhost:http")],
  ["a host with a port that is too large", headed("Host: localhost:65536")],
  ["a host with two ports", headed("Host: localhost:80:80")],
  ["a host with a negative port", headed("Host: localhost:-1")],
  ["an IPv6 address without brackets", headed("Host: ::1")],
  ["an IPv6 address with one bracket", headed("Host: [::1")],
  ["a host of 300 characters", headed(`Host: ${"a".repeat(300)}`)],
  // Header lines.
  ["a blank before the colon", get("GET /a HTTP/1.1", "X-A : b")],
  ["a tab before the colon", get("GET /a HTTP/1.1", "X-A\t: b")],
  ["no colon", get("GET /a HTTP/1.1", "X-A")],
  ["no name", get("GET /a HTTP/1.1", ": b")],
  ["a name with a blank", get("GET /a HTTP/1.1", "X A: b")],
  ["a name with a bracket", get("GET /a HTTP/1.1", "X(A): b")],
  ["a name that is not ASCII", get("GET /a HTTP/1.1", "X-\xc4: b")],
  ["a NUL in a name", get("GET /a HTTP/1.1", "X\0A: b")],
  ["a NUL in a value", get("GET /a HTTP/1.1", "X-A: b\0c")],
  ["a control character in a value", get("GET /a HTTP/1.1", "X-A: b\x08c")],
  ["a bare line feed in a header", get("GET /a HTTP/1.1", "X-A: b\nX-B: c")],
  ["bare line feeds only", "GET /a HTTP/1.1\nHost: localhost\n\n"],
  ["a bare carriage return in a value", get("GET /a HTTP/1.1", "X-A: b\rc")],
  ["a folded line", get("GET /a HTTP/1.1", "X-A: b", " c")],
  ["a folded line with a tab", get("GET /a HTTP/1.1", "X-A: b", "\tc")],
  ["a folded first line", "GET /a HTTP/1.1\r\n Host: localhost\r\n\r\n"],
  ["a header line of 20,000 characters", get("GET /a HTTP/1.1", `X-A: ${"a".repeat(20_000)}`)],
  [
    "16 KiB of headers in many lines",
    get("GET /a HTTP/1.1", ...Array.from({ length: 400 }, () => `X-A: ${"a".repeat(60)}`))
  ],
  ["1,001 lines", get("GET /a HTTP/1.1", ...Array.from({ length: 1000 }, () => "a:b"))],
  ["3,000 lines", get("GET /a HTTP/1.1", ...Array.from({ length: 2999 }, () => "a:"))],
  // Lengths and codings.
  ["a length and chunks", post(["Content-Length: 5", "Transfer-Encoding: chunked"], `0\r\n\r\n${smuggled}`)],
  ["chunks and a length", post(["Transfer-Encoding: chunked", "Content-Length: 5"], `0\r\n\r\n${smuggled}`)],
  ["two lengths", post(["Content-Length: 1", "Content-Length: 2"], "ab")],
  ["the same length twice", post(["Content-Length: 2", "Content-Length: 2"], "ab")],
  ["two lengths in one line", post(["Content-Length: 2, 2"], "ab")],
  ["a negative length", post(["Content-Length: -1"], "a")],
  ["a length with a plus", post(["Content-Length: +1"], "a")],
  ["a hexadecimal length", post(["Content-Length: 0x1"], "a")],
  ["a length with a fraction", post(["Content-Length: 1.0"], "a")],
  ["a length with a blank in it", post(["Content-Length: 1 1"], "a")],
  ["an empty length", post(["Content-Length:"], "a")],
  ["a length that is no number", post(["Content-Length: many"], "a")],
  ["a length beyond 64 bits", post(["Content-Length: 99999999999999999999999"], "a")],
  ["a blank before the colon of the length", post(["Content-Length : 1"], "a")],
  ["an unknown coding", post(["Transfer-Encoding: zip"], smuggled)],
  ["identity", post(["Transfer-Encoding: identity"], smuggled)],
  ["gzip and chunked", post(["Transfer-Encoding: gzip, chunked"], `0\r\n\r\n${smuggled}`)],
  ["chunked and gzip", post(["Transfer-Encoding: chunked, gzip"], `0\r\n\r\n${smuggled}`)],
  ["chunked and identity", post(["Transfer-Encoding: chunked, identity"], `0\r\n\r\n${smuggled}`)],
  ["chunked twice", post(["Transfer-Encoding: chunked, chunked"], `0\r\n\r\n${smuggled}`)],
  ["chunked in two lines", post(["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], "0\r\n\r\n")],
  ["chunked and another in two lines", post(["Transfer-Encoding: chunked", "Transfer-Encoding: x"], "0\r\n\r\n")],
  ["xchunked", post(["Transfer-Encoding: xchunked"], `0\r\n\r\n${smuggled}`)],
  ["chunked with a parameter", post(["Transfer-Encoding: chunked;q=1"], `0\r\n\r\n${smuggled}`)],
  ["chunked in quotes", post(['Transfer-Encoding: "chunked"'], `0\r\n\r\n${smuggled}`)],
  ["chunked with a vertical tab", post(["Transfer-Encoding: \x0bchunked"], `0\r\n\r\n${smuggled}`)],
  ["a comma before chunked", post(["Transfer-Encoding: ,chunked"], `0\r\n\r\n${smuggled}`)],
  ["an empty coding", post(["Transfer-Encoding:"], `0\r\n\r\n${smuggled}`)],
  ["a blank before the colon of the coding", post(["Transfer-Encoding : chunked"], `0\r\n\r\n${smuggled}`)],
  ["a folded coding", post(["Transfer-Encoding:", " chunked"], `0\r\n\r\n${smuggled}`)],
  ["an underscore in place of the hyphen and a length", post(["Transfer\x00Encoding: chunked"], "0\r\n\r\n")],
  ["chunks over HTTP/1.0", `POST /a HTTP/1.0\r\n${host}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
  ["an expectation that nobody can meet", post(["Expect: 200-ok", "Content-Length: 1"], "a")],
  // Chunks.
  ["a size that is no number", chunked("z\r\na\r\n0\r\n\r\n")],
  ["a negative size", chunked("-1\r\na\r\n0\r\n\r\n")],
  ["a size with a prefix", chunked("0x1\r\na\r\n0\r\n\r\n")],
  ["a size with a plus", chunked("+1\r\na\r\n0\r\n\r\n")],
  ["a size with a blank before it", chunked(" 1\r\na\r\n0\r\n\r\n")],
  ["a size with a blank after it", chunked("1 \r\na\r\n0\r\n\r\n")],
  ["a size with an underscore", chunked("1_0\r\na\r\n0\r\n\r\n")],
  ["a size beyond 64 bits", chunked("fffffffffffffffff\r\na\r\n0\r\n\r\n")],
  ["an empty size", chunked("\r\na\r\n0\r\n\r\n")],
  ["a size that ends in a line feed", chunked("1\na\r\n0\r\n\r\n")],
  ["a size that ends in a carriage return", chunked("1\ra\r\n0\r\n\r\n")],
  ["a chunk that is longer than its size", chunked("1\r\nabc\r\n0\r\n\r\n")],
  ["a chunk without an end of line", chunked("1\r\na0\r\n\r\n")],
  ["a chunk that ends in a line feed", chunked("1\r\na\n0\r\n\r\n")],
  ["an extension with a line feed", chunked("1;a\nb\r\na\r\n0\r\n\r\n")],
  ["an extension with a NUL", chunked("1;\0\r\na\r\n0\r\n\r\n")],
  ["extensions of 20,000 characters", chunked(`1;${"a".repeat(20_000)}\r\na\r\n0\r\n\r\n`)],
  ["a trailer without a colon", chunked("0\r\nX-A\r\n\r\n")],
  ["a trailer with a blank in its name", chunked("0\r\nX A: b\r\n\r\n")],
  ["a trailer of 20,000 characters", chunked(`0\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`)],
  ["trailers with a NUL", chunked("0\r\nX-A: \0\r\n\r\n")]
]

const oddities: ReadonlyArray<readonly [name: string, bytes: string]> = [
  ["an empty line first", `\r\n${get("GET /a HTTP/1.1", "Connection: close")}`],
  ["HTTP/1.0 without a host", "GET /a HTTP/1.0\r\n\r\n"],
  ["HTTP/1.0 with a host", `GET /a HTTP/1.0\r\n${host}\r\n\r\n`],
  ["a host with a port", headed("Host: localhost:8087", "Connection: close")],
  ["a host with an empty port", headed("Host: localhost:", "Connection: close")],
  ["a host with a dot at its end", headed("Host: example.com.", "Connection: close")],
  ["an IPv4 address", headed("Host: 127.0.0.1:80", "Connection: close")],
  ["an IPv6 address", headed("Host: [::1]:8087", "Connection: close")],
  ["a name with an underscore", headed("Host: my_service", "Connection: close")],
  ["names in capitals", "GET /a HTTP/1.1\r\nHOST: LOCALHOST\r\nCONNECTION: close\r\n\r\n"],
  ["no blank after the colon", headed("Host:localhost", "Connection:close")],
  ["blanks around a value", headed("Host:   localhost  ", "Connection:  close  ")],
  ["an empty value", get("GET /a HTTP/1.1", "X-A:", "Connection: close")],
  ["a value that is not ASCII", get("GET /a HTTP/1.1", "X-A: \xe9", "Connection: close")],
  ["999 header lines", get("GET /a HTTP/1.1", "Connection: close", ...Array.from({ length: 998 }, () => "a:b"))],
  ["a query", get("GET /a?b=c&d=%20?/ HTTP/1.1", "Connection: close")],
  ["braces and bars in the query", get("GET /a?b={c}|[d] HTTP/1.1", "Connection: close")],
  ["an upgrade that is not wanted", get("GET /a HTTP/1.1", "Connection: Upgrade, close", "Upgrade: h2c")],
  ["a GET with a body", get("GET /a HTTP/1.1", "Connection: close", "Content-Length: 2") + "ab"],
  ["a length with zeros", post(["Connection: close", "Content-Length: 002"], "ab")],
  ["no length", post(["Connection: close"], "")],
  ["chunks", post(["Connection: close", "Transfer-Encoding: chunked"], "2\r\nab\r\n0\r\n\r\n")],
  ["chunks in capitals", post(["Connection: close", "Transfer-Encoding: CHUNKED"], "2\r\nab\r\n0\r\n\r\n")],
  [
    "chunk sizes with zeros and capitals",
    post(["Connection: close", "Transfer-Encoding: chunked"], "000A\r\n0123456789\r\n0\r\n\r\n")
  ],
  ["an extension", post(["Connection: close", "Transfer-Encoding: chunked"], '2;a="b";c\r\nab\r\n0\r\n\r\n')],
  ["trailers", post(["Connection: close", "Transfer-Encoding: chunked"], "2\r\nab\r\n0\r\nX-A: b\r\n\r\n")],
  ["100-continue requested", post(["Connection: close", "Expect: 100-continue", "Content-Length: 2"], "ab")]
]

const statusLines = (received: string) => received.match(/HTTP\/1\.1 \d{3} /g) ?? []

layer(Serving.layer(routes))("Malformed requests", (it) => {
  it.effect.each(malformed)("%s: one response, and the connection is closed", ([name, bytes]) =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const received = yield* Raw.exchange(port, bytes)
      const lines = statusLines(received)
      // The first of two requests is well formed.
      const refused = name.includes("behind a good request") ? lines.slice(1) : lines
      expect(refused).toHaveLength(1)
      expect(refused[0]).toMatch(/^HTTP\/1\.1 (4\d\d|501|505) /)
      expect(received.toLowerCase()).toContain("connection: close\r\n")
      if (lines.length === 1) expect(received).not.toContain("served")
    })
  )

  it.effect.each(oddities)("%s: served", ([, bytes]) =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const received = yield* Raw.exchange(port, bytes)
      expect(statusLines(received.replace("HTTP/1.1 100 Continue\r\n\r\n", ""))).toEqual(["HTTP/1.1 200 "])
      expect(received).toContain("served")
    })
  )
})

/** Sends the second text when the response to the first one has been read. */
const oneAfterTheOther = (port: number, first: string, second: string): Effect.Effect<string> =>
  Effect.async((resume) => {
    let received = ""
    const socket = connect(port, "127.0.0.1", () => socket.write(first))
    socket.setEncoding("latin1").on("data", (chunk) => {
      const isFirst = received === ""
      received += String(chunk)
      if (isFirst) socket.write(second)
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(received)))
    return Effect.sync(() => socket.destroy())
  })

const onKeptConnection: ReadonlyArray<readonly [name: string, bytes: string]> = [
  ["HTTP/1.2", get("GET /a HTTP/1.2")],
  ["HTTP/2.0", get("GET /a HTTP/2.0")],
  ["DESCRIBE over RTSP/1.1", get("DESCRIBE /a RTSP/1.1")],
  ["ICE/1.1", get("SOURCE /a ICE/1.1")]
]

layer(Serving.layer(routes))("A later request on a kept connection", (it) => {
  it.effect.each(onKeptConnection)("%s: one response, and the connection is closed", ([, bytes]) =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const received = yield* oneAfterTheOther(port, smuggled, bytes)
      expect(statusLines(received)).toEqual(["HTTP/1.1 200 ", expect.stringMatching(/^HTTP\/1\.1 (400|505) $/)])
      expect(received.toLowerCase()).toContain("connection: close\r\n")
      expect(received.match(/served/g)).toHaveLength(1)
    })
  )

  it.effect("HTTP/1.1 with a body that looks like another protocol: served", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const body = "\r\nPOST /a RTSP/1.1\r\n\r\n"
      const received = yield* oneAfterTheOther(
        port,
        smuggled,
        post(["Connection: close", `Content-Length: ${body.length}`], body)
      )
      expect(statusLines(received)).toEqual(["HTTP/1.1 200 ", "HTTP/1.1 200 "])
    })
  )
})

it("covers more than a hundred of them", () => {
  expect(malformed.length).toBeGreaterThanOrEqual(105)
})
