// The ids of traces and spans. Most of them are never read: a trace is decided on by a number, which becomes part of its id
// once somebody asks for the text. As slices of one long text, each id that waits for an export kept all of that text alive.
// The figure is in `bench/notes.md`.
import { randomFillSync } from "node:crypto"

// Random bytes for many ids at once.
const poolSize = 4096

export class SpanIds {
  readonly #pool = Buffer.alloc(poolSize)
  #next = poolSize

  /** 52 random bits: what the last 13 digits of a trace id are worth. */
  randomness(): number {
    const at = this.#take(8)
    return this.#pool.readUInt32BE(at) * 2 ** 20 + (this.#pool.readUInt32BE(at + 4) >>> 12)
  }

  /** 32 digits, the last 13 of them this number. */
  traceId(randomness: number): string {
    const pool = this.#pool
    const at = this.#take(16)
    // The three digits before them stay random.
    const random = pool.readUInt32BE(at + 8) >>> 20
    pool.writeUInt32BE(random * 2 ** 20 + Math.floor(randomness / 2 ** 32), at + 8)
    pool.writeUInt32BE(randomness % 2 ** 32, at + 12)
    return pool.toString("hex", at, at + 16)
  }

  /** 16 digits. */
  spanId(): string {
    const at = this.#take(8)
    return this.#pool.toString("hex", at, at + 8)
  }

  #take(size: number): number {
    if (this.#next + size > poolSize) {
      randomFillSync(this.#pool)
      this.#next = 0
    }
    this.#next += size
    return this.#next - size
  }
}
