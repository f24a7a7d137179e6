import { FileSystem, HttpLayerRouter, HttpServerRequest, Multipart } from "@effect/platform"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as Respond from "../../../routes/session/Respond.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Raw from "../../support/Raw.ts"
import * as Serving from "../../support/Serving.ts"

const upload = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  return Respond.json(Object.keys(yield* request.multipart))
}).pipe(
  Multipart.withLimits({ maxParts: Option.some(3), maxFieldSize: 100, maxFileSize: Option.some(FileSystem.Size(200)) })
)

const field = (name: string, text: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${text}`
const file = (text: string) =>
  `Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n${text}`

const form = (...parts: ReadonlyArray<string>) => `${parts.map((part) => `--x\r\n${part}\r\n`).join("")}--x--\r\n`

const send = Effect.fnUntraced(function* (body: string, type = "multipart/form-data; boundary=x") {
  const { port } = yield* ServerAddress
  const headers = [`Content-Type: ${type}`, `Content-Length: ${body.length}`, "Accept: application/json"]
  const received = yield* Raw.exchange(port, Raw.request("POST /upload HTTP/1.1", headers, body))
  expect(received.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1)
  return [Number(received.slice(9, 12)), received.slice(received.indexOf("\r\n\r\n") + 4)]
})

const tooLarge = [413, '{"error":"Content Too Large"}']
const malformed = [400, '{"error":"Bad Request"}']

const served = Serving.layer([HttpLayerRouter.route("POST", "/upload", upload)]).pipe(
  Layer.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer))
)

layer(served)("A multipart body", (it) => {
  it.effect("is read", () =>
    Effect.gen(function* () {
      expect(yield* send(form(field("name", "tea"), file("leaves")))).toEqual([200, '["name","file"]'])
    })
  )

  it.effect.each([
    ["with more parts than the route takes", form(...["a", "b", "c", "d"].map((name) => field(name, "")))],
    ["with a field that is too large", form(field("name", "a".repeat(101)))],
    ["with a file that is too large", form(file("a".repeat(201)))]
  ] as const)("%s is refused with 413", ([, body]) =>
    Effect.gen(function* () {
      expect(yield* send(body)).toEqual(tooLarge)
    })
  )

  it.effect("longer than the limit of a body is refused with 413", () =>
    Effect.gen(function* () {
      expect(yield* send(form(file("a".repeat(1024 * 1024))))).toEqual(tooLarge)
    })
  )

  it.effect.each([
    ["that ends in a part", form(field("name", "tea")).slice(0, -8), undefined],
    ["with a part without a name", form("Content-Disposition: form-data\r\n\r\ntea"), undefined],
    ["with a malformed part header", form("Content-Disposition\r\n\r\ntea"), undefined],
    ["without a boundary", form(field("name", "tea")), "multipart/form-data"]
  ] as const)("%s is refused with 400", ([, body, type]) =>
    Effect.gen(function* () {
      expect(yield* send(body, type)).toEqual(malformed)
    })
  )
})
