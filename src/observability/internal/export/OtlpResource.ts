// The resource and scope that exported metrics belong to, and the format of `OTEL_RESOURCE_ATTRIBUTES`.
import { VERSION } from "../../../config/internal/Version.ts"
import * as OtlpValue from "./OtlpValue.ts"

/** The service name when neither `OTEL_SERVICE_NAME` nor the attributes have one. */
export const defaultService = "framework-service"

/** The instrumentation scope when the options have none. */
export const defaultScope = "framework.observability"

/** Attributes by name, such as `service.version`. */
export type Attributes = Readonly<Record<string, string>>

/** The service that spans and log records come from. */
export interface Resource {
  readonly service: string
  readonly attributes: Readonly<Record<string, string | number>>
}

/** What has made the data, in every resource. */
export const sdk = {
  "telemetry.sdk.name": "effect-framework",
  "telemetry.sdk.language": "nodejs",
  "telemetry.sdk.version": VERSION
}

/** The expected format, for the message about a malformed value. */
export const expected = "key=value pairs with commas between them, what is not plain ASCII percent-encoded"

/** `key=value,key=value`, both percent-encoded; the last of two equal keys wins. `undefined` when it is malformed. */
export const parse = (text: string): Attributes | undefined => {
  const attributes = new Map<string, string>()
  for (const member of text.split(",")) {
    const at = member.indexOf("=")
    const key = decode(member.slice(0, Math.max(0, at)).trim())
    const value = decode(member.slice(at + 1).trim())
    if (key === undefined || key === "" || value === undefined) return undefined
    attributes.set(key, value)
  }
  return Object.fromEntries(attributes)
}

// A semicolon would begin the properties of a baggage entry, which a resource does not have.
const decode = (text: string): string | undefined => {
  if (/[^\x20-\x7e]|[;"\\]/.test(text)) return undefined
  try {
    const decoded = decodeURIComponent(text)
    return /\p{Cc}/u.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}

/** The resource and the scope of spans and log records. */
export const envelope = ({ attributes, service }: Resource): { readonly resource: object; readonly scope: object } => ({
  resource: OtlpValue.attributes(Object.entries({ "service.name": service, ...attributes })),
  scope: { name: defaultScope, version: VERSION }
})
