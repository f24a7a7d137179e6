// A short mark of a text, the same in each build: for what protects no secret and only has to differ with the text.

// FNV-1a over 32 bits.
const lane = (text: string, basis: number): string => {
  let hash = basis
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, "0")
}

/** 16 hexadecimal digits. */
export const of = (text: string): string => lane(text, 0x811c9dc5) + lane(text, 0x050c5d1f)
