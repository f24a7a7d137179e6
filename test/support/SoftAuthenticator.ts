// An authenticator in software, which can also do what none in a browser would: lie about its site, skip the check of the
// person, or count backwards.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import type { CreationOptions, RequestOptions } from "../../src/auth/internal/passkeys/PasskeyOptions.ts"

const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest()

const encode = (data: string | Uint8Array): string => Buffer.from(data).toString("base64url")

const u16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

// As much of CBOR as a key and an attestation need.
const byteString = (data: Uint8Array): Buffer =>
  Buffer.concat([data.length < 256 ? Buffer.from([0x58, data.length]) : Buffer.from([0x59, ...u16(data.length)]), data])
const textString = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** ES256 as a COSE key: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`. */
const coseKey = (key: KeyObject): Buffer => {
  const { x = "", y = "" } = key.export({ format: "jwk" })
  const coordinate = (text: string) => byteString(Buffer.from(text, "base64url"))
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
  return Buffer.concat([head, Buffer.from([0x21]), coordinate(x), Buffer.from([0x22]), coordinate(y)])
}

/** What a response says, where it is not the truth. */
export interface Lies {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly type?: string
  readonly crossOrigin?: boolean
  readonly userVerified?: boolean
  readonly userPresent?: boolean
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
  readonly counter?: number
  readonly userHandle?: string | null
  /** The id in the response, in place of the passkey's own. */
  readonly id?: string
}

const flags = ({ backedUp, backupEligible, userPresent = true, userVerified = true }: Lies, isNew: boolean): number =>
  (userPresent ? 0x01 : 0) |
  (userVerified ? 0x04 : 0) |
  (backupEligible === true ? 0x08 : 0) |
  (backedUp === true ? 0x10 : 0) |
  (isNew ? 0x40 : 0)

const clientData = (type: string, challenge: string, origin: string, lies: Lies): string =>
  encode(
    JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? origin,
      crossOrigin: lies.crossOrigin ?? false
    })
  )

export class SoftAuthenticator {
  readonly #origin: string
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" })
  readonly id: string = encode(randomBytes(16))
  counter = 0
  #userHandle = ""

  constructor(origin: string) {
    this.#origin = origin
  }

  /** The text that a browser sends for a new passkey. */
  create({ challenge, rp, user }: CreationOptions, lies: Lies = {}): string {
    this.#userHandle = user.id
    const id = Buffer.from(lies.id ?? this.id, "base64url")
    const authData = Buffer.concat([
      sha256(lies.rpId ?? rp.id),
      Buffer.from([flags(lies, true)]),
      u32(lies.counter ?? this.counter),
      Buffer.alloc(16),
      u16(id.length),
      id,
      coseKey(this.#keys.publicKey)
    ])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      textString("fmt"),
      textString("none"),
      textString("attStmt"),
      Buffer.from([0xa0]),
      textString("authData"),
      byteString(authData)
    ])
    return this.#print(encode(id), {
      clientDataJSON: clientData("webauthn.create", challenge, this.#origin, lies),
      attestationObject: encode(attestation),
      transports: ["internal"]
    })
  }

  /** The text that a browser sends for a signature. */
  get({ challenge, rpId }: RequestOptions, lies: Lies = {}): string {
    this.counter = lies.counter ?? this.counter + 1
    const authData = Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([flags(lies, false)]), u32(this.counter)])
    const data = clientData("webauthn.get", challenge, this.#origin, lies)
    const signed = Buffer.concat([authData, sha256(Buffer.from(data, "base64url"))])
    return this.#print(lies.id ?? this.id, {
      clientDataJSON: data,
      authenticatorData: encode(authData),
      signature: encode(sign("sha256", signed, this.#keys.privateKey)),
      userHandle: lies.userHandle === undefined ? this.#userHandle : lies.userHandle
    })
  }

  #print(id: string, response: object): string {
    return JSON.stringify({ id, rawId: id, type: "public-key", response, clientExtensionResults: {} })
  }
}
