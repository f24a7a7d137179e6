// Client addresses for tests, each of them another one.
import { randomBytes } from "node:crypto"

// Starts at random and counts up: two clients never share a rate limit.
let address = randomBytes(4).readUInt32BE()

/** An address of a private network, another one each time. */
export const newAddress = (): string => {
  address = (address + 1) % 2 ** 24
  return `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}`
}
