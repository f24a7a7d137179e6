// Why an uploaded file is refused. Each failure is the state of its form, which can be rendered again.
import { Schema } from "effect"
import * as ErrorResponse from "../errors/ErrorResponse.ts"
import * as ByteSize from "./ByteSize.ts"

const texts = Schema.Record({ key: Schema.String, value: Schema.String })

const respond = (status: number, message: string, fields: Readonly<Record<string, string>>) =>
  ErrorResponse.of(status, { message, fields })

/** A file, or all of them together, is larger than the route accepts: 413. */
export class FileTooLarge extends Schema.TaggedError<FileTooLarge>("effect-framework/http/FileTooLarge")(
  "FileTooLarge",
  { field: Schema.String, limit: Schema.Number, fieldErrors: texts, kept: texts }
) {
  override get message() {
    return `The file is larger than ${ByteSize.print(this.limit)}.`
  }
  get error() {
    return this.message
  }
  get status() {
    return 413
  }
  get [ErrorResponse.symbol]() {
    return respond(this.status, this.message, this.fieldErrors)
  }
}

/** A file is of none of the media types that the route accepts, by its declared type or by its first bytes: 415. */
export class WrongFileType extends Schema.TaggedError<WrongFileType>("effect-framework/http/WrongFileType")(
  "WrongFileType",
  { field: Schema.String, allowed: Schema.Array(Schema.String), fieldErrors: texts, kept: texts }
) {
  override get message() {
    return `The file is not one of: ${this.allowed.join(", ")}.`
  }
  get error() {
    return this.message
  }
  get status() {
    return 415
  }
  get [ErrorResponse.symbol]() {
    return respond(this.status, this.message, this.fieldErrors)
  }
}

/** A field has more files than the route accepts: 422. */
export class TooManyFiles extends Schema.TaggedError<TooManyFiles>("effect-framework/http/TooManyFiles")(
  "TooManyFiles",
  { field: Schema.String, limit: Schema.Number, fieldErrors: texts, kept: texts }
) {
  override get message() {
    return this.limit === 1 ? "Send one file." : `Send at most ${this.limit} files.`
  }
  get error() {
    return this.message
  }
  get status() {
    return 422
  }
  get [ErrorResponse.symbol]() {
    return respond(this.status, this.message, this.fieldErrors)
  }
}
