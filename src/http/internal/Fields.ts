// The fields of a submitted form.

/** Read-only fields by name. The first value of a name counts; `repeated` holds the names that were sent more than once. */
export interface Fields {
  readonly get: (name: string) => string | undefined
  readonly has: (name: string) => boolean
  /** The texts of a JSON array; `undefined` for any other field. Neither `get` nor `has` finds it. */
  readonly list: (name: string) => ReadonlyArray<string> | undefined
  readonly names: ReadonlyArray<string>
  readonly repeated: ReadonlySet<string>
}
