// The framework in German.
import { Layer } from "effect"
import { AuthTexts } from "../auth/AuthTexts.ts"
import { FormTexts } from "../session/FormTexts.ts"
import * as GermanAuthTexts from "./internal/GermanAuthTexts.ts"
import * as GermanMailTexts from "./internal/GermanMailTexts.ts"
import { MailTexts } from "../mail/MailTexts.ts"
import * as GermanHttpTexts from "./internal/GermanHttpTexts.ts"
import { HttpTexts } from "../http/HttpTexts.ts"

/** Every text of the framework in German, for `Languages.layer({ en: Layer.empty, de: German.layer })`. */
export const layer: Layer.Layer<never> = Layer.mergeAll(
  Layer.succeed(HttpTexts, GermanHttpTexts.german),
  Layer.succeed(AuthTexts, GermanAuthTexts.german),
  Layer.succeed(FormTexts, GermanAuthTexts.germanForms),
  Layer.succeed(MailTexts, GermanMailTexts.german)
)
