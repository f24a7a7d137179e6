// Why an uploaded file is refused. Each failure is the state of its form, which can be rendered again.
import { Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import * as ByteSize from "../http/internal/text/ByteSize.ts"
import { english, HttpTexts, type Texts } from "../http/HttpTexts.ts"

const texts = Schema.Record({ key: Schema.String, value: Schema.String })

interface Refused {
  readonly status: number
  readonly message: string
  readonly fieldErrors: Readonly<Record<string, string>>
  readonly describe: (form: Texts["form"]) => string
}

const respond = (refused: Refused, facts: Readonly<Record<string, unknown>>) =>
  ErrorResponse.of(refused.status, {
    facts,
    message: refused.message,
    translate: (language) => refused.describe(language.texts(HttpTexts).form),
    fields: refused.fieldErrors
  })

/**
 * A file, or all of them together, is larger than the route accepts: 413.
 *
 * @example
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Html } from "effect-framework/http"
 * import type { UploadError } from "effect-framework/session"
 * import { Flash, type FormState, Respond, Upload } from "effect-framework/routes/session"
 *
 * const form = Upload.make({
 *   fields: Schema.Struct({}),
 *   files: { photos: { maxSize: "5 MiB", types: ["image/jpeg"], maxCount: 3 } }
 * })
 *
 * type Refused = FormState.InvalidForm | UploadError.FileTooLarge | UploadError.WrongFileType | UploadError.TooManyFiles
 *
 * const again = (refused: Refused) =>
 *   Respond.renderInvalid(
 *     refused,
 *     Effect.succeed({
 *       title: "Photos",
 *       main: Html.html`<p>${refused.fieldErrors["photos"]}</p><a href="/photos">Choose others</a>`
 *     })
 *   )
 *
 * export const save = Upload.read(form).pipe(
 *   Effect.tap(({ files }) =>
 *     Effect.forEach(files.photos, (photo) => photo.persist(`photos/${crypto.randomUUID()}.jpg`))
 *   ),
 *   Effect.zipRight(Respond.redirectWithFlash("/photos", Flash.success("Thank you!"))),
 *   Effect.catchTag("InvalidForm", "FileTooLarge", "WrongFileType", "TooManyFiles", again)
 * )
 * ```
 */
export class FileTooLarge extends Schema.TaggedError<FileTooLarge>("effect-framework/session/FileTooLarge")(
  "FileTooLarge",
  { field: Schema.String, limit: Schema.Number, fieldErrors: texts, values: texts },
  ErrorResponse.declared(413, "A file is larger than the route accepts.")
) {
  override get message() {
    return this.describe(english.form)
  }
  /** The message in these texts. */
  describe(form: Texts["form"]): string {
    return form.fileTooLarge(ByteSize.print(this.limit))
  }
  get error() {
    return this.message
  }
  get status() {
    return 413
  }
  get [ErrorResponse.symbol]() {
    return respond(this, { field: this.field, limit: this.limit })
  }
}

/** A file is of none of the media types that the route accepts, by its declared type or by its first bytes: 415. */
export class WrongFileType extends Schema.TaggedError<WrongFileType>("effect-framework/session/WrongFileType")(
  "WrongFileType",
  { field: Schema.String, allowed: Schema.Array(Schema.String), fieldErrors: texts, values: texts },
  ErrorResponse.declared(415, "A file is of a media type that the route does not accept.")
) {
  override get message() {
    return this.describe(english.form)
  }
  /** The message in these texts. */
  describe(form: Texts["form"]): string {
    return form.wrongFileType(this.allowed.join(", "))
  }
  get error() {
    return this.message
  }
  get status() {
    return 415
  }
  get [ErrorResponse.symbol]() {
    return respond(this, { field: this.field, allowed: this.allowed })
  }
}

/** A field has more files than the route accepts: 422. */
export class TooManyFiles extends Schema.TaggedError<TooManyFiles>("effect-framework/session/TooManyFiles")(
  "TooManyFiles",
  { field: Schema.String, limit: Schema.Number, fieldErrors: texts, values: texts },
  ErrorResponse.declared(422, "A field has more files than the route accepts.")
) {
  override get message() {
    return this.describe(english.form)
  }
  /** The message in these texts. */
  describe(form: Texts["form"]): string {
    return form.tooManyFiles(this.limit)
  }
  get error() {
    return this.message
  }
  get status() {
    return 422
  }
  get [ErrorResponse.symbol]() {
    return respond(this, { field: this.field, limit: this.limit })
  }
}
