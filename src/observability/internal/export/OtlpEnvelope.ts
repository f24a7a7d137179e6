// What every OTLP request says about its origin: the resource and the instrumentation scope.
import { VERSION } from "../../../config/internal/Version.ts"
import { defaultScope, type Resource } from "./OtlpResource.ts"
import * as OtlpValue from "./OtlpValue.ts"

/** The resource and the scope of spans and log records. */
export const envelope = ({ attributes, service }: Resource): { readonly resource: object; readonly scope: object } => ({
  resource: OtlpValue.attributes(Object.entries({ "service.name": service, ...attributes })),
  scope: { name: defaultScope, version: VERSION }
})
