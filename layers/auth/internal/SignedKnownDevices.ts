// Known devices in a signed cookie, so that they take no rows.
import { Effect, Layer, Option } from "effect"
import { type Keys, KeyRing } from "../../../src/session/internal/KeyRing.ts"
import { KnownDevices } from "../../../src/auth/internal/KnownDevices.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import { toHex } from "../../../src/session/internal/SplitToken.ts"
import { isSigned, sign } from "../../session/internal/Digest.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"

/** One account of a browser. Only its signature names the account, so that the cookie reveals none. */
interface Mark {
  readonly key: number
  readonly since: number
  readonly signature: string
}

interface Browser {
  readonly device: string
  readonly marks: ReadonlyArray<Mark>
}

const deviceBytes = 16

const maxMarks = 5

const shape = /^d\.([0-9a-f]{32})((?:\.\d{1,9}-\d{1,12}-[A-Za-z0-9_-]{43}){1,5})$/

const parse = (cookie: string | undefined): Browser | undefined => {
  const [, device, marks = ""] = shape.exec(cookie ?? "") ?? []
  if (device === undefined) return undefined
  return { device, marks: marks.slice(1).split(".").map(toMark) }
}

// A signature may hold a hyphen.
const toMark = (text: string): Mark => {
  const [key = "", since = "", ...signature] = text.split("-")
  return { key: Number(key), since: Number(since), signature: signature.join("-") }
}

const print = ({ device, marks }: Browser): string =>
  ["d", device, ...marks.map(({ key, signature, since }) => `${key}-${since}-${signature}`)].join(".")

const signed = (device: string, key: number, since: number, user: string): string =>
  `device.${key}.${device}.${since}.${user}`

const isOf = ({ find }: Keys, device: string, user: string, { key: id, signature, since }: Mark): boolean => {
  const key = find(id)
  return key !== undefined && isSigned(key.secret, signed(device, id, since, user), signature)
}

const make = Effect.gen(function* () {
  const keys = yield* KeyRing
  const entropy = yield* Entropy
  return KnownDevices.of({
    remember: Effect.fnUntraced(function* (cookie, user) {
      const ring = yield* keys.ring
      const since = yield* EpochSeconds.seconds
      const { id: key, secret } = ring.signing
      const known = parse(cookie)
      const device = known?.device ?? toHex(entropy.bytes(deviceBytes))
      const others = known?.marks.filter((mark) => !isOf(ring, device, user, mark)) ?? []
      const mark = { key, since, signature: sign(secret, signed(device, key, since, user)) }
      return print({ device, marks: [mark, ...others].slice(0, maxMarks) })
    }),
    find: (cookie, user) => {
      const known = parse(cookie)
      if (known === undefined) return Effect.succeedNone
      const { device, marks } = known
      return Effect.map(keys.ring, (ring) =>
        Option.map(Option.fromNullable(marks.find((mark) => isOf(ring, device, user, mark))), ({ since }) => ({
          device,
          since
        }))
      )
    }
  })
})

/** Known devices in a cookie that the key ring signs. */
export const layer: Layer.Layer<KnownDevices, never, KeyRing> = Layer.effect(KnownDevices, make)
