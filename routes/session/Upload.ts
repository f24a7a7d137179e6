// Forms with files: multipart/form-data behind the session and the CSRF check, streamed to temporary files.
import { type HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Either, Option, Record } from "effect"
import { FormTexts } from "../../src/session/FormTexts.ts"
import { translate } from "../../src/session/internal/FormSentences.ts"
import type { Fields } from "../../src/http/internal/Fields.ts"
import { HttpTexts } from "../../src/http/HttpTexts.ts"
import type { Language } from "../../src/http/Languages.ts"
import * as RouteOptions from "../../src/http/internal/RouteOptions.ts"
import type { Uploads } from "../../src/session/internal/Uploads.ts"
import { InvalidForm } from "./FormState.ts"
import * as FormSchema from "../http/internal/FormSchema.ts"
import { isMultipart } from "../http/internal/BodyCheck.ts"
import * as FormFields from "../http/internal/FormFields.ts"
import * as MultipartBody from "./internal/MultipartBody.ts"
import { type Problem, ReceivedFiles, tooLarge, type UploadError } from "./internal/ReceivedFiles.ts"
import * as Texts from "../http/Texts.ts"
import * as UploadForm from "./internal/UploadForm.ts"

export type { FormSchema } from "../http/internal/FormSchema.ts"
export type { Options, UploadForm, Rule } from "./internal/UploadForm.ts"

/** A file that was received. It is deleted with the request, unless `persist` keeps it. */
export type UploadedFile = UploadForm.UploadedFile

/**
 * A form with its file fields and their limits.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect, Schema } from "effect"
 * import { Access } from "effect-framework/routes/auth"
 * import { Respond, Upload } from "effect-framework/routes/session"
 *
 * const form = Upload.make({
 *   fields: Schema.Struct({ caption: Schema.NonEmptyString }),
 *   files: { picture: { maxSize: "5 MiB", types: ["image/png"] } }
 * })
 *
 * const save = Effect.gen(function* () {
 *   const { fields, files } = yield* Upload.read(form)
 *   yield* files.picture.persist("pictures/1.png")
 *   return Respond.text(`Saved ${fields.caption}`)
 * })
 *
 * export const route = Upload.route(form)(HttpLayerRouter.route("POST", "/pictures", Access.requireUser(save)))
 * ```
 */
export const make = UploadForm.make

/** Lets a route receive the form, up to its limits. Every other route refuses multipart/form-data with 415. */
export const route =
  <A, Rules extends UploadForm.FileRules>({ limit, timeout }: UploadForm.UploadForm<A, Rules>) =>
  <E, R>(route: HttpLayerRouter.Route<E, R>): HttpLayerRouter.Route<E, R | Uploads> =>
    RouteOptions.add(route, {
      multipart: true,
      bodyLimit: limit,
      ...(timeout !== undefined && { requestTimeout: timeout })
    })

/** The files of a form, by field name. */
type Files<Rules extends UploadForm.FileRules> = { readonly [Field in keyof Rules]: UploadForm.Received<Rules[Field]> }

/** Receives the form: its decoded fields, and its files. */
export const read = Effect.fn("Upload.read")(function* <A, Rules extends UploadForm.FileRules>(
  form: UploadForm.UploadForm<A, Rules>
) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const received = new ReceivedFiles(form.rules)
  const fields = isMultipart(headers["content-type"]) ? yield* receiveAll(form, received) : yield* FormFields.read
  const language = yield* Texts.language
  const decoded = FormSchema.decode(form.schema, fields, language)
  const { form: texts } = language.texts(HttpTexts)
  const failure = failureOf(
    form,
    fields,
    received,
    texts,
    Either.isLeft(decoded) ? translated(decoded.left, language) : {}
  )
  if (failure !== undefined) return yield* failure
  if (Either.isLeft(decoded)) return yield* Effect.dieMessage("A form that is not decoded has a failure.")
  const files = Array.from(form.rules, ([name, rule]) => [name, result(rule, received.files.get(name) ?? [])] as const)
  // A boundary of the type system: `result` gives each field what its rule says.
  return { fields: decoded.right, files: Object.fromEntries(files) as Files<Rules> }
})

const receiveAll = Effect.fnUntraced(function* <A, Rules extends UploadForm.FileRules>(
  form: UploadForm.UploadForm<A, Rules>,
  received: ReceivedFiles
) {
  const body = yield* MultipartBody.open
  body.allowParts(form.maxParts)
  const stop = (field: string) => {
    const limit = form.statedLimit ?? form.rules.get(field)?.maxSize ?? form.limit
    if (received.problems.length === 0) received.problems.push(tooLarge(field, limit))
    received.isCut = true
  }
  yield* Effect.gen(function* () {
    for (let head = yield* body.nextFile; head !== undefined; head = yield* body.nextFile) {
      if (body.isTooLong && form.rules.has(head.name)) return stop(head.name)
      yield* received.receive(body, head)
    }
  }).pipe(
    // A form that is cut off at its limit is shown again with the fields before the file.
    Effect.catchTag("BodyTooLarge", (failure) =>
      received.current === undefined ? failure : Effect.succeed(stop(received.current))
    )
  )
  return body.fields
})

const translated = (fieldErrors: Readonly<Record<string, string>>, { texts }: Language) =>
  Record.map(fieldErrors, (message) => translate(message, texts(FormTexts)))

type FileTexts = (typeof HttpTexts.Service)["form"]

const missing = (
  { empty, files }: ReceivedFiles,
  name: string,
  { isOptional }: UploadForm.Rule,
  texts: FileTexts
): string | undefined => {
  if (empty.has(name)) return texts.emptyFile
  return isOptional || files.has(name) ? undefined : texts.missingFile
}

const failureOf = <A, Rules extends UploadForm.FileRules>(
  { rules, schema }: UploadForm.UploadForm<A, Rules>,
  fields: Fields,
  received: ReceivedFiles,
  texts: FileTexts,
  invalid: Readonly<Record<string, string>>
): InvalidForm | UploadError | undefined => {
  const [problem] = received.problems
  const fieldErrors: Record<string, string> = received.isCut ? {} : { ...invalid }
  for (const [name, rule] of rules) {
    const text =
      messageOf(received.problems, name, texts) ?? (received.isCut ? undefined : missing(received, name, rule, texts))
    if (text !== undefined) fieldErrors[name] = text
  }
  const values = FormSchema.keep(schema, fields)
  if (problem !== undefined) return problem.failure(fieldErrors, values)
  if (Object.keys(fieldErrors).length === 0) return undefined
  return new InvalidForm({ status: 422, error: texts.invalid, fieldErrors, values })
}

const messageOf = (problems: ReadonlyArray<Problem>, name: string, texts: FileTexts): string | undefined =>
  problems
    .find(({ field }) => field === name)
    ?.failure({}, {})
    .describe(texts)

const result = ({ isList, isOptional }: UploadForm.Rule, files: ReadonlyArray<UploadedFile>) => {
  if (isList) return files
  return isOptional ? Option.fromNullable(files[0]) : files[0]
}
