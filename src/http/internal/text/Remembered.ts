// Results of a pure function that are kept, because many requests ask for the same ones.

/** The function, which keeps what it has made. Clients choose the keys: when there are `most` of them, all are dropped. */
export const make = <Key, A extends {}>(of: (key: Key) => A, most: number): ((key: Key) => A) => {
  const known = new Map<Key, A>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = of(key)
    if (known.size >= most) known.clear()
    known.set(key, made)
    return made
  }
}

/** The result for each object, for as long as the object lives: markup of a catalogue of texts, rendered once. */
export const byObject = <Key extends object, A extends {}>(of: (key: Key) => A): ((key: Key) => A) => {
  const known = new WeakMap<Key, A>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = of(key)
    known.set(key, made)
    return made
  }
}
