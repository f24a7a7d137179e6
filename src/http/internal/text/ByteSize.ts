// Sizes of bodies and files.

/** A number of bytes, or a text such as `"5 MiB"`. */
export type ByteSize = number | `${number} ${"KiB" | "MiB" | "GiB"}`

const units: ReadonlyArray<readonly [name: string, bytes: number]> = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 ** 2],
  ["KiB", 1024]
]

/** The size in bytes. */
export const toBytes = (size: ByteSize): number => {
  if (typeof size === "number") return size
  const [amount = "", name] = size.split(" ")
  const unit = units.find(([known]) => known === name)?.[1] ?? 1
  return Math.floor(Number(amount) * unit)
}

/** The size for a message: `5 MiB`, `1.5 KiB`, `12 bytes`. */
export const print = (bytes: number): string => {
  const unit = units.find(([, size]) => bytes >= size)
  return unit === undefined ? `${bytes} bytes` : `${Math.floor((bytes / unit[1]) * 10) / 10} ${unit[0]}`
}
