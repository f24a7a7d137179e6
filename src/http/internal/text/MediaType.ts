// The media type of a body.

/** The type that a `Content-Type` names, in lower case and without parameters; empty where there is none. */
export const of = (contentType: string | undefined): string =>
  (contentType?.split(";", 1)[0] ?? "").trim().toLowerCase()
