// A small `HttpApi` with a guarded group and an open one, for the tests of APIs.
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import * as ApiAuthentication from "../../routes/auth/ApiAuthentication.ts"
import * as ApiHandlers from "../../routes/server/ApiHandlers.ts"
import { CurrentIdentity, Identity } from "../../src/session/Identity.ts"

export class NoteGone extends Schema.TaggedError<NoteGone>()(
  "NoteGone",
  { id: Schema.Number },
  HttpApiSchema.annotations({ status: 410 })
) {}

/** A failure of a handler that looks like the guard's. */
export class Locked extends Schema.TaggedError<Locked>()("Locked", {}, HttpApiSchema.annotations({ status: 423 })) {}

const Note = Schema.Struct({ id: Schema.Number, text: Schema.String })

const notes = HttpApiGroup.make("notes")
  .add(HttpApiEndpoint.get("me", "/me").addSuccess(Identity))
  .add(
    HttpApiEndpoint.post("create", "/notes")
      .setPayload(Schema.Struct({ text: Schema.String.pipe(Schema.maxLength(100)) }))
      .addSuccess(Note, { status: 201 })
      .addError(Locked)
  )
  .add(
    HttpApiEndpoint.get("read", "/notes/:id")
      .setPath(Schema.Struct({ id: Schema.NumberFromString }))
      .addSuccess(Note)
      .addError(NoteGone)
  )
  .middleware(ApiAuthentication.ApiAuthentication)

const status = HttpApiGroup.make("status")
  .add(HttpApiEndpoint.get("ping", "/ping").addSuccess(Schema.Struct({ pong: Schema.Boolean })))
  .add(HttpApiEndpoint.get("broken", "/broken").addSuccess(Schema.Void))

export const NotesApi = HttpApi.make("notes-api").add(notes).add(status).prefix("/api")

const notesHandlers = ApiHandlers.group(NotesApi, "notes", (handlers) =>
  handlers
    .handle("me", () => CurrentIdentity)
    .handle("create", ({ payload: { text } }) =>
      text === "locked" ? Effect.fail(new Locked()) : Effect.succeed({ id: 1, text })
    )
    .handle("read", ({ path: { id } }) =>
      id === 0 ? Effect.fail(new NoteGone({ id })) : Effect.succeed({ id, text: "kept" })
    )
)

const statusHandlers = ApiHandlers.group(NotesApi, "status", (handlers) =>
  handlers
    .handle("ping", () => Effect.succeed({ pong: true }))
    .handle("broken", () => Effect.die(new Error("a secret of the program")))
)

/** The handlers, over the accounts of the program. */
export const layer = ApiHandlers.layer(NotesApi).pipe(
  Layer.provide(Layer.merge(notesHandlers, statusHandlers)),
  Layer.provide(ApiAuthentication.layer)
)
