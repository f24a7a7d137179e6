import { describe, expect, it } from "@effect/vitest"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import { FileTooLarge, TooManyFiles, WrongFileType } from "../../../src/session/UploadError.ts"

const form = { field: "photo", fieldErrors: { photo: "Choose another file." }, values: { title: "Tea" } }

describe("a refused file", () => {
  it.each([
    [new FileTooLarge({ ...form, limit: 5 * 1024 ** 2 }), 413, "The file is larger than 5 MiB."],
    [
      new WrongFileType({ ...form, allowed: ["image/png", "image/jpeg"] }),
      415,
      "The file is not one of: image/png, image/jpeg."
    ],
    [new TooManyFiles({ ...form, limit: 1 }), 422, "Send one file."],
    [new TooManyFiles({ ...form, limit: 4 }), 422, "Send at most 4 files."]
  ])("%s has its status, its message and the errors of the fields", (error, status, message) => {
    expect(error).toMatchObject({ status, message, error: message, values: { title: "Tea" } })
    expect(error[ErrorResponse.symbol]).toMatchObject(ErrorResponse.of(status, { message, fields: form.fieldErrors }))
  })
})
