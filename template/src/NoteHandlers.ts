// What the endpoints of the notes do.
import { Effect } from "effect"
import { ApiHandlers } from "effect-framework/routes/server"
import { Api, list } from "./Api.ts"
import * as Notes from "./Notes.ts"

export const layer = ApiHandlers.group(Api, "notes", (handlers) =>
  handlers
    .handle("list", ({ request }) =>
      Effect.flatMap(Notes.mine, ({ notes, selection }) => list.respond(notes, request, selection))
    )
    .handle("create", ({ payload: { text } }) => Notes.add(text))
    .handle("read", ({ path: { id } }) => Notes.read(id))
    .handle("change", ({ path: { id }, payload: { text } }) => Notes.change(id, text))
    .handle("remove", ({ path: { id } }) => Effect.asVoid(Notes.remove(id)))
)
