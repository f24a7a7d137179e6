import { HttpLayerRouter } from "@effect/platform"
import { afterAll, expect, layer } from "@effect/vitest"
import { Effect, pipe, Schema } from "effect"
import { Html } from "effect-framework/http"
import { Access } from "effect-framework/routes/auth"
import { Flash, FormState, Respond } from "effect-framework/routes/session"
import { CsrfCheck, Upload } from "effect-framework/routes/session"
import { TestApp } from "effect-framework/testing"
import { randomUUID } from "node:crypto"
import { readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const { html } = Html
const folder = join(tmpdir(), `pictures-${randomUUID()}`)

const form = Upload.make({
  fields: Schema.Struct({
    caption: Schema.Trim.pipe(Schema.minLength(1, { message: () => "Write a caption." }))
  }),
  files: {
    picture: { maxSize: "5 MiB", types: ["image/jpeg", "image/png"] }
  },
  timeout: "2 minutes"
})

const view = ({ fieldErrors, values }: FormState.FormState<"caption"> = FormState.empty) =>
  Effect.map(CsrfCheck.token, (token) => ({
    title: "A new picture",
    main: html`<h1>A new picture</h1>
      <form class="card" method="post" action="/pictures" enctype="multipart/form-data">
        <input type="hidden" name="_token" value="${token}" />
        <div class="field">
          <label for="caption">Caption</label>
          <input id="caption" name="caption" type="text" value="${values.caption}" />
          <p class="error">${fieldErrors.caption}</p>
        </div>
        <div class="field">
          <label for="picture">Picture</label>
          <input id="picture" name="picture" type="file" accept="image/jpeg,image/png" />
          <p class="error">${fieldErrors.picture}</p>
        </div>
        <button type="submit">Send</button>
      </form>`
  }))

const save = Effect.gen(function* () {
  const { fields, files } = yield* Upload.read(form)
  const name = `${randomUUID()}.${files.picture.type === "image/png" ? "png" : "jpg"}`
  yield* files.picture.persist(join(folder, name))
  const value = { name, caption: fields.caption }
  return yield* Respond.redirectWithFlash("/pictures", Flash.success("Thank you!"), { status: 201, value })
}).pipe(
  Effect.catchTag("InvalidForm", "FileTooLarge", "WrongFileType", "TooManyFiles", (invalid) =>
    Respond.renderInvalid(invalid, view(invalid))
  )
)

const routes = [
  HttpLayerRouter.route("GET", "/pictures", Access.requireUser(Respond.render(view()))),
  pipe(HttpLayerRouter.route("POST", "/pictures", Access.requireUser(save)), Upload.route(form))
]

afterAll(() => rmSync(folder, { recursive: true, force: true }))

layer(TestApp.layer(routes))("POST /pictures", (it) => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")
  const filled = (caption: string, type: string) => {
    const data = new FormData()
    data.append("caption", caption)
    data.append("picture", new Blob([png], { type }), "cat.png")
    return data
  }

  it.effect("keeps the picture of a member", () =>
    Effect.gen(function* () {
      const user = yield* TestApp.signedInUser()
      expect((yield* user.submit("/pictures", filled("My cat", "image/png"))).location).toBe("/pictures")
      const [name = ""] = readdirSync(folder)
      expect(name).toMatch(/\.png$/)
      expect(readFileSync(join(folder, name)).equals(png)).toBe(true)
    })
  )

  it.effect("shows the form again for another file, with its caption", () =>
    Effect.gen(function* () {
      const user = yield* TestApp.signedInUser()
      const response = yield* user.submit("/pictures", filled("My <cat>", "text/html"))
      expect(response.status).toBe(415)
      expect(response.text).toContain("The file is not one of: image/jpeg, image/png.")
      expect(response.body).toContain('value="My &lt;cat&gt;"')
    })
  )
})
