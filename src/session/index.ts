// Sessions, the signed-in user, CSRF protection, rate limits, and the errors of forms and uploads.
export * as Csrf from "./Csrf.ts"
export * as FormTexts from "./FormTexts.ts"
export * as Identity from "./Identity.ts"
export * as RateLimit from "./RateLimit.ts"
export * as Session from "./Session.ts"
export * as UploadError from "./UploadError.ts"
