// Reads JSON strictly: a member that nobody knows is an error.

type Json = Readonly<Record<string, unknown>>

export const fail = (why: string, value: unknown): never => {
  throw new Error(`${why}: ${JSON.stringify(value)}`)
}

/** An object with exactly these members, those with a question mark at most. */
export const object = (value: unknown, ...members: ReadonlyArray<string>): Json => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail("not an object", value)
  const known = new Set(members.map((member) => member.replace("?", "")))
  for (const key of Object.keys(value)) if (!known.has(key)) fail(`unknown member ${key}`, value)
  for (const member of members) if (!member.endsWith("?") && !(member in value)) fail(`no ${member}`, value)
  return Object.fromEntries(Object.entries(value))
}

export const list = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : fail("not a list", value)

export const text = (value: unknown): string => (typeof value === "string" ? value : fail("not a text", value))
