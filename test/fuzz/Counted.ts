// What properties count of their work, such as lists that were read: `npm run fuzz` prints the sums.

// Shared by the runner and the tests, which load this module on their own.
const key = Symbol.for("effect-framework/test/Counted")
const shared = globalThis as unknown as { [key]?: Map<string, number> }
const all = (): Map<string, number> => (shared[key] ??= new Map())

/** Whether properties run under `npm run fuzz`, where they may take long. */
export const isFuzzing = process.env["FUZZ_DEADLINE"] !== undefined

/** Adds to the sum of this name. */
export const add = (name: string, count: number): void => {
  all().set(name, (all().get(name) ?? 0) + count)
}

/** The sums since the last call. */
export const take = (): Readonly<Record<string, number>> => {
  const sums = Object.fromEntries(all())
  all().clear()
  return sums
}
