// A certificate that signs itself, made on the spot: no key lies in the repository and no tool has to be installed.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto"
import { isIP } from "node:net"

export interface Certificate {
  readonly key: string
  readonly cert: string
}

// The few pieces of DER that a certificate needs (X.690): tag, length, content.
const der = (tag: number, ...contents: ReadonlyArray<Buffer>): Buffer => {
  const content = Buffer.concat(contents)
  const bytes: Array<number> = []
  for (let rest = content.length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  const length = content.length < 128 ? [content.length] : [0x80 + bytes.length, ...bytes]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

const sequence = (...contents: ReadonlyArray<Buffer>) => der(0x30, ...contents)
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const time = (date: Date) =>
  der(0x18, Buffer.from(date.toISOString().replace(/[-:T]/g, "").slice(0, 14) + "Z", "latin1"))

const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"))
const commonName = oid("550403")
const subjectAltName = oid("551d11")
const basicConstraints = oid("551d13")

const extension = (id: Buffer, value: Buffer) => sequence(id, der(0x04, value))

const altName = (name: string) =>
  isIP(name) === 4 ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name, "latin1"))

/** A key and a certificate for these host names and IPv4 addresses, which is its own authority. */
export const selfSigned = (...names: ReadonlyArray<string>): Certificate => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const serial = der(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(8)]))
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(names[0] ?? "test", "utf8")))))
  const now = Date.now()
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    serial,
    ecdsaWithSha256,
    name,
    sequence(time(new Date(now - 3_600_000)), time(new Date(now + 86_400_000))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        extension(basicConstraints, sequence(der(0x01, Buffer.from([0xff])))),
        extension(subjectAltName, sequence(...names.map(altName)))
      )
    )
  )
  const signature = der(0x03, Buffer.from([0]), sign("sha256", body, privateKey))
  const text = sequence(body, ecdsaWithSha256, signature)
    .toString("base64")
    .replace(/.{64}(?=.)/g, "$&\n")
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`
  }
}
