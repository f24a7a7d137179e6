// The API under `/api`: the contract from which the server, its document and its clients are made.
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { InvalidRequest } from "effect-framework/http"
import { AccountsApi, ApiAuthentication } from "effect-framework/routes/auth"
import { ListEndpoint } from "effect-framework/routes/pagination"
import * as Notes from "./Notes.ts"

/** A page or a part of the notes, with the parameters that the page has. */
export const list = ListEndpoint.make("list", "/notes", { item: Notes.Item, parameters: Notes.parameters })

// The guard stands before all of them: without an account 401, and `CurrentIdentity` for the handlers.
const notes = HttpApiGroup.make("notes")
  .add(list.endpoint.annotate(OpenApi.Summary, "List your notes"))
  .add(
    HttpApiEndpoint.post("create", "/notes")
      .setPayload(Notes.Draft)
      .addSuccess(Notes.Item, { status: 201 })
      .annotate(OpenApi.Summary, "Keep a note")
  )
  .add(
    HttpApiEndpoint.get("read", "/notes/:id")
      .setPath(Notes.Path)
      .addSuccess(Notes.Item)
      .addError(Notes.NoteNotFound)
      .annotate(OpenApi.Summary, "Read a note")
  )
  .add(
    HttpApiEndpoint.put("change", "/notes/:id")
      .setPath(Notes.Path)
      .setPayload(Notes.Draft)
      .addSuccess(Notes.Item)
      .addError(Notes.NoteNotFound)
      .annotate(OpenApi.Summary, "Change a note")
  )
  .add(
    HttpApiEndpoint.del("remove", "/notes/:id")
      .setPath(Notes.Path)
      .addError(Notes.NoteNotFound)
      .annotate(OpenApi.Summary, "Delete a note")
  )
  .middleware(ApiAuthentication.ApiAuthentication)
  .annotate(OpenApi.Title, "Notes")
  .annotate(OpenApi.Description, "The notes of the signed-in account; nobody else can read or change them.")

export const Api = HttpApi.make("my-app")
  .add(AccountsApi.group)
  .add(notes)
  .addError(InvalidRequest.errors)
  .prefix("/api")
  .annotate(OpenApi.Title, "my-app")
