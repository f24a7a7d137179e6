// The fields of a submitted form.

/** Read-only fields by name. The first value of a name counts; `repeated` holds the names that were sent more than once. */
export interface Fields {
  readonly get: (name: string) => string | undefined
  readonly has: (name: string) => boolean
  readonly names: ReadonlyArray<string>
  readonly repeated: ReadonlySet<string>
}
