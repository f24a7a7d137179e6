// Uploads over real sockets: what is accepted, what is refused, and that nothing stays behind.
import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, pipe, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { html } from "../../../src/http/Html.ts"
import { RequestEvents } from "../../../src/observability/RequestEvents.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { requireUser } from "../../../routes/auth/Access.ts"
import * as FormState from "../../../routes/session/FormState.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import * as BodyLimit from "../../../routes/http/BodyLimit.ts"
import * as Upload from "../../../routes/session/Upload.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import { TemporaryFolder } from "../../../testing/TemporaryFolder.ts"
import * as Multipart from "../../support/Multipart.ts"

const pictures = Upload.make({
  fields: Schema.Struct({ title: Schema.NonEmptyString.annotations({ message: () => "Enter a title." }) }),
  files: {
    picture: { maxSize: "64 KiB", types: ["image/png", "image/jpeg"] },
    more: { maxSize: "8 KiB", maxCount: 2, optional: true },
    text: { maxSize: "1 KiB", types: ["text/plain"], optional: true }
  },
  timeout: "2 seconds"
})

const view = ({ fieldErrors, values }: FormState.FormState<"title">) =>
  Effect.succeed({
    title: "Picture",
    main: html`<p>${Object.values(fieldErrors).join(" ")}</p>
      <input name="title" value="${values.title}" />`
  })

const save = Effect.gen(function* () {
  const { fields, files } = yield* Upload.read(pictures)
  const folder = yield* TemporaryFolder
  const target = join(folder, "kept", fields.title)
  const { name, size, type } = files.picture
  yield* files.picture.persist(target)
  const all = [...files.more, ...Option.toArray(files.text)]
  const more = all.map((file) => ({ name: file.name, size: file.size, text: readFileSync(file.path, "latin1") }))
  return yield* Respond.redirect("/done", { status: 201, value: { title: fields.title, name, size, type, more } })
}).pipe(
  Effect.catchTag("InvalidForm", "FileTooLarge", "WrongFileType", "TooManyFiles", (invalid) =>
    Respond.renderInvalid(invalid, view(invalid))
  )
)

const echo = Effect.map(FormState.read(Schema.Struct({ text: Schema.String })), ({ text }) =>
  Respond.json({ length: text.length })
)

const routes = [
  pipe(HttpLayerRouter.route("POST", "/pictures", requireUser(save)), Upload.route(pictures)),
  pipe(
    HttpLayerRouter.route("POST", "/uncaught", Effect.as(Upload.read(pictures), Respond.text(""))),
    Upload.route(pictures)
  ),
  pipe(HttpLayerRouter.route("POST", "/long", echo), BodyLimit.route("3 MiB")),
  pipe(HttpLayerRouter.route("POST", "/short", echo), BodyLimit.route("1 KiB")),
  HttpLayerRouter.route("POST", "/plain", echo)
]

class InFlight extends Context.Tag("test/InFlight")<InFlight, { now: number; aborted: number }>() {}

const counted = Layer.scoped(
  InFlight,
  Effect.flatMap(RequestEvents, (events) => {
    const state = { now: 0, aborted: 0 }
    const handled = ({ aborted }: { readonly aborted: boolean }) => {
      state.now--
      if (aborted) state.aborted++
    }
    return Effect.as(events.listen({ received: () => void state.now++, handled }), state)
  })
)

/** Waits in real time: the clock of the test stands still. */
const eventually = <R>(isTrue: Effect.Effect<boolean, never, R>): Effect.Effect<void, never, R> =>
  Effect.flatMap(isTrue, (is) =>
    is
      ? Effect.void
      : Effect.zipRight(
          Effect.promise(() => setTimeout(10)),
          eventually(isTrue)
        )
  )

/** The files of uploads that exist now. */
const temporaryFiles = Effect.map(TemporaryFolder, (folder) => {
  try {
    return readdirSync(join(folder, "uploads"), { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  } catch {
    return []
  }
})

const nothingLeft = Effect.gen(function* () {
  const inFlight = yield* InFlight
  yield* eventually(Effect.map(temporaryFiles, (files) => files.length === 0 && inFlight.now === 0))
})

const tokenOf = (client: TestClient) =>
  Effect.map(client.json("GET", "/csrf"), ({ json }) => String(Reflect.get(Object(json), "token")))

interface Sending {
  readonly path?: string
  readonly accept?: string
  readonly token?: "first" | "header" | "last" | "none" | "wrong"
  readonly type?: string
}

const picture = { name: "picture", filename: "a.png", type: "image/png", content: Multipart.png(2000) }
const title = { name: "title", content: "cat" }

/** Sends the parts, as a signed-in member. */
const send = Effect.fnUntraced(function* (
  parts: Buffer | ReadonlyArray<Multipart.Part>,
  { accept = "application/json", path = "/pictures", token = "first", type = Multipart.contentType }: Sending = {}
) {
  const client = yield* TestApp.signedInUser()
  const value = token === "wrong" ? "wrong" : yield* tokenOf(client)
  const field = { name: "_token", content: value }
  const all = Buffer.isBuffer(parts)
    ? parts
    : Multipart.body(
        ...(token === "first" || token === "wrong" ? [field] : []),
        ...parts,
        ...(token === "last" ? [field] : [])
      )
  return yield* client.request(path, {
    method: "POST",
    body: all,
    headers: {
      accept,
      "content-type": type,
      ...((token === "header" || Buffer.isBuffer(parts)) && { "x-csrf-token": value })
    }
  })
})

/** The head of an upload, for bytes that are sent as they are. */
const rawHead = Effect.fnUntraced(function* (framing: string) {
  const client = yield* TestApp.signedInUser()
  const token = yield* tokenOf(client)
  const cookie = Array.from(client.jar, ([name, value]) => `${name}=${value}`).join("; ")
  const lines = [
    "POST /pictures HTTP/1.1",
    "Host: localhost",
    "Accept: application/json",
    `Cookie: ${cookie}`,
    `X-CSRF-Token: ${token}`,
    `Content-Type: ${Multipart.contentType}`,
    framing
  ]
  return `${lines.join("\r\n")}\r\n\r\n`
})

const dial = Effect.fnUntraced(function* () {
  const { port } = yield* ServerAddress
  const state = { received: "", closed: false }
  const socket: Socket = connect(port, "127.0.0.1")
  socket.setEncoding("latin1")
  socket.on("data", (chunk) => (state.received += String(chunk)))
  socket.on("error", () => undefined)
  socket.on("close", () => (state.closed = true))
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
  return { socket, state }
})

const chunked = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")])

layer(Layer.provideMerge(counted, TestApp.layer(routes)), { timeout: 60_000 })("An upload", (it) => {
  it.scoped("is received with the fields of its form, and deleted unless it is kept", () =>
    Effect.gen(function* () {
      const folder = yield* TemporaryFolder
      const more = [
        { name: "more", filename: "one.txt", type: "text/plain", content: "1" },
        { name: "more", filename: "one.txt", type: "text/plain", content: "2\r\n" }
      ]
      const response = yield* send([title, picture, ...more])
      expect(response.status).toBe(201)
      expect(response.json).toEqual({
        title: "cat",
        name: "a.png",
        size: 2000,
        type: "image/png",
        more: [
          { name: "one.txt", size: 1, text: "1" },
          { name: "one.txt", size: 3, text: "2\r\n" }
        ]
      })
      expect(readFileSync(join(folder, "kept", "cat")).equals(picture.content)).toBe(true)
      yield* nothingLeft
    })
  )

  it.scoped("may come before the fields, with the token in the header", () =>
    Effect.gen(function* () {
      const response = yield* send([picture, title], { token: "header", accept: "text/html" })
      expect([response.status, response.location]).toEqual([303, "/done"])
    })
  )

  it.scoped("is refused without its token before a file is written", () =>
    Effect.gen(function* () {
      for (const token of ["none", "wrong", "last"] as const) {
        const response = yield* send([title, picture], { token })
        expect([token, response.status]).toEqual([token, 403])
        expect(response.body).toContain("Invalid CSRF token")
      }
      const twice = [{ name: "_token", content: "x" }, title, picture]
      expect((yield* send(twice)).status).toBe(403)
      yield* nothingLeft
    })
  )

  it.scoped("is refused for guests, on other routes, and without a boundary", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const response = yield* guest.request("/pictures", {
        method: "POST",
        body: Multipart.body(title, picture),
        headers: {
          accept: "application/json",
          "content-type": Multipart.contentType,
          "x-csrf-token": yield* tokenOf(guest)
        }
      })
      expect(response.status).toBe(401)
      expect((yield* send([title, picture], { path: "/plain" })).status).toBe(415)
      for (const type of [
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=other"
      ]) {
        expect((yield* send(Multipart.body(title, picture), { type })).status, type).toBe(400)
      }
      yield* nothingLeft
    })
  )

  it.scoped("is refused when its file is too large, and the form is shown again with its fields", () =>
    Effect.gen(function* () {
      const large = { ...picture, content: Multipart.png(65_537) }
      const page = yield* send([large, title], { token: "header", accept: "text/html" })
      expect(page.status).toBe(413)
      expect(page.text).toContain("The file is larger than 64 KiB.")
      expect(page.body).toContain('value="cat"')
      const json = yield* send([title, large])
      expect(json.json).toEqual({
        error: "The file is larger than 64 KiB.",
        fields: { picture: "The file is larger than 64 KiB." }
      })
      expect((yield* send([title, { ...picture, content: Multipart.png(65_536) }])).status).toBe(201)
      yield* nothingLeft
    })
  )

  it.scoped("is refused when the body is too long, before a file is read, and still shows its form", () =>
    Effect.gen(function* () {
      const huge = { ...picture, content: Multipart.png(4_000_000) }
      const page = yield* send([title, huge], { accept: "text/html" })
      expect(page.status).toBe(413)
      expect(page.text).toContain("The file is larger than 64 KiB.")
      expect(page.body).toContain('value="cat"')
      yield* nothingLeft
    })
  )

  it.scoped("is cut off at the limit when its length is not stated", () =>
    Effect.gen(function* () {
      const { socket, state } = yield* dial()
      socket.write(yield* rawHead("Transfer-Encoding: chunked"))
      socket.write(chunked(Multipart.part(title)))
      socket.write(chunked(Multipart.part({ ...picture, content: Multipart.png(60_000) }).subarray(0, -2)))
      const more = chunked(Buffer.alloc(64_000, 1))
      for (let sent = 0; sent < 30 && state.received === ""; sent++) {
        yield* Effect.async<void>((resume) => void socket.write(more, () => resume(Effect.void)))
      }
      yield* eventually(Effect.sync(() => state.closed))
      expect(state.received).toMatch(/^HTTP\/1\.1 413 /)
      yield* nothingLeft
    })
  )

  it.scoped("is refused when it is not of an accepted type, by what it says or by what it is", () =>
    Effect.gen(function* () {
      const wrong = [
        { ...picture, type: "text/html" },
        { ...picture, type: "image/svg+xml" },
        { ...picture, content: "<script>alert(1)</script>" },
        { ...picture, type: "image/gif", content: "GIF89a……………………" },
        { name: "picture", filename: "a.png", content: picture.content }
      ]
      for (const file of wrong) {
        const response = yield* send([title, file])
        expect(response.status).toBe(415)
        expect(response.json).toMatchObject({ fields: { picture: "The file is not one of: image/png, image/jpeg." } })
      }
      yield* nothingLeft
    })
  )

  it.scoped("is refused when a file is missing, empty, repeated or not expected", () =>
    Effect.gen(function* () {
      const text = { name: "more", filename: "x.txt", type: "text/plain", content: "x" }
      const none = { name: "picture", filename: "", type: "application/octet-stream" }
      const cases: ReadonlyArray<readonly [ReadonlyArray<Multipart.Part>, number, unknown]> = [
        [[title], 422, { fields: { picture: "Choose a file." } }],
        [[title, none], 422, { fields: { picture: "Choose a file." } }],
        [[title, { name: "picture", content: "text" }], 422, { fields: { picture: "Choose a file." } }],
        [[title, { ...picture, content: "" }], 422, { fields: { picture: "The file is empty." } }],
        [[picture], 422, { fields: { title: "Enter a title." } }],
        [[title, title, picture], 422, { fields: { title: "Send this field once." } }],
        [[title, picture, picture], 422, { fields: { picture: "Send one file." } }],
        [[title, picture, text, text, text], 422, { fields: { more: "Send at most 2 files." } }],
        [[title, { ...picture, name: "other" }], 400, { error: "The form has no file field of this name." }]
      ]
      for (const [parts, status, body] of cases) {
        const response = yield* send(parts)
        expect(response.status).toBe(status)
        expect(response.json).toMatchObject(Object(body))
      }
      yield* nothingLeft
    })
  )

  it.scoped("responds with its status also where the route handles no failure", () =>
    Effect.gen(function* () {
      const failures: ReadonlyArray<readonly [Multipart.Part, number]> = [
        [{ ...picture, content: Multipart.png(70_000) }, 413],
        [{ ...picture, type: "text/html" }, 415],
        [{ ...picture, content: "" }, 422]
      ]
      for (const [file, status] of failures) {
        const response = yield* send([title, file], { path: "/uncaught" })
        expect(response.status).toBe(status)
        expect(response.json).toMatchObject({ fields: { picture: expect.any(String) } })
      }
      yield* nothingLeft
    })
  )

  it.scoped("keeps the name of a file apart from every path", () =>
    Effect.gen(function* () {
      const names: ReadonlyArray<readonly [string, string]> = [
        ["../../x.png", "x.png"],
        ["/etc/passwd", "passwd"],
        ["C:\\\\fakepath\\\\x.png", "x.png"],
        ["..", ""],
        ["日本 – 1\u202fPM.png", "日本 – 1\u202fPM.png"],
        ["a%22b.png", 'a"b.png'],
        [`${"x".repeat(10_000)}.png`, `${"x".repeat(196)}.png`]
      ]
      for (const [filename, name] of names) {
        const response = yield* send([title, { ...picture, filename }])
        expect(response.json).toMatchObject({ name })
      }
      const extended = 'form-data; name="picture"; filename="x"; filename*=UTF-8\'\'na%C3%AFve.png'
      expect((yield* send([title, { ...picture, disposition: extended }])).json).toMatchObject({ name: "naïve.png" })
      expect((yield* send([title, { ...picture, filename: "a\u0000.png" }])).status).toBe(400)
      yield* nothingLeft
    })
  )

  it.scoped("is refused when its parts are malformed or far too many", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 5000 }, (_, index) => ({ name: `f${index}`, content: "x" }))
      const field = { name: "long", content: "x".repeat(1_000_000) }
      const cases: ReadonlyArray<readonly [string, Buffer, number]> = [
        ["thousands of parts", Multipart.body(...many, picture), 413],
        ["a part with an endless header", Multipart.body({ name: "a", type: "x".repeat(60_000) }, picture), 400],
        ["long fields", Multipart.body(field, field, picture), 413],
        ["no end", Multipart.body(title, picture).subarray(0, -6), 400],
        ["an end within a header", Multipart.part(title).subarray(0, 40), 400],
        ["nothing", Buffer.alloc(0), 400],
        ["junk", Buffer.from("junk"), 400],
        ["a field that is not UTF-8", Multipart.body({ name: "title", content: Buffer.from([0xff]) }, picture), 400]
      ]
      for (const [name, body, status] of cases) {
        expect([name, (yield* send(body)).status]).toEqual([name, status])
      }
      yield* nothingLeft
    })
  )

  it.scoped("leaves nothing behind when the client breaks off in the middle of a file", () =>
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      const before = inFlight.aborted
      const ends = [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]
      for (const end of ends) {
        const { socket } = yield* dial()
        const body = Multipart.body(title, { ...picture, content: Multipart.png(60_000) })
        socket.write(yield* rawHead(`Content-Length: ${body.length}`))
        socket.write(body.subarray(0, 40_000))
        yield* eventually(Effect.map(temporaryFiles, (files) => files.length === 1))
        end(socket)
        yield* nothingLeft
      }
      // A client that only ends its side gets a 400, as it does for any other body.
      expect(inFlight.aborted).toBe(before + 1)
    })
  )

  it.scoped("leaves nothing behind when it takes longer than its form allows", () =>
    Effect.gen(function* () {
      const { socket, state } = yield* dial()
      const body = Multipart.body(title, { ...picture, content: Multipart.png(60_000) })
      socket.write(yield* rawHead(`Content-Length: ${body.length}`))
      socket.write(body.subarray(0, 40_000))
      yield* eventually(Effect.map(temporaryFiles, (files) => files.length === 1))
      yield* eventually(Effect.sync(() => state.closed))
      expect(state.received).toMatch(/^HTTP\/1\.1 408 /)
      yield* nothingLeft
    })
  )

  it.scoped("is not asked for when the client waits for 100 Continue and its origin is foreign", () =>
    Effect.gen(function* () {
      const { socket, state } = yield* dial()
      socket.write(yield* rawHead("Content-Length: 50000\r\nExpect: 100-continue\r\nOrigin: https://evil.example"))
      yield* eventually(Effect.sync(() => state.closed))
      expect(state.received).toMatch(/^HTTP\/1\.1 403 /)
    })
  )
})

layer(TestApp.layer(routes))("The body limit of a route", (it) => {
  it.scoped("is its own, and 1 MiB for the others", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const post = (path: string, length: number) => client.json("POST", path, { text: "x".repeat(length) })
      expect((yield* post("/long", 2_500_000)).json).toEqual({ length: 2_500_000 })
      expect((yield* post("/long", 3_500_000)).status).toBe(413)
      expect((yield* post("/short", 900)).status).toBe(200)
      expect((yield* post("/short", 1100)).status).toBe(413)
      expect((yield* post("/plain", 1_000_000)).status).toBe(200)
      expect((yield* post("/plain", 1_100_000)).status).toBe(413)
      expect((yield* post("/uncaught", 1_100_000)).status).toBe(413)
    })
  )
})
