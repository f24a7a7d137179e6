// UUIDs of version 7.

/** A UUID of version 7: later ones sort after earlier ones. Takes ten random bytes. */
export const uuid7 = (millis: number, random: Uint8Array): string => {
  const byte = (index: number) => (random[index] ?? 0).toString(16).padStart(2, "0")
  const time = Math.floor(millis).toString(16).padStart(12, "0")
  const version = `7${byte(0).slice(1)}${byte(1)}`
  const variant = `${((parseInt(byte(2), 16) & 0x3f) | 0x80).toString(16)}${byte(3)}`
  const rest = [4, 5, 6, 7, 8, 9].map(byte).join("")
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${rest}`
}
