// The framework in German.
import { Layer } from "effect"
import { AuthTexts } from "../auth/AuthTexts.ts"
import { FormTexts } from "../auth/FormTexts.ts"
import * as GermanAuthTexts from "../auth/GermanAuthTexts.ts"
import * as GermanMailTexts from "../mail/GermanMailTexts.ts"
import { MailTexts } from "../mail/MailTexts.ts"
import * as GermanHttpTexts from "./GermanHttpTexts.ts"
import { HttpTexts } from "./HttpTexts.ts"

/** Every text of the framework in German, for `Languages.layer({ en: Layer.empty, de: German.layer })`. */
export const layer: Layer.Layer<never> = Layer.mergeAll(
  Layer.succeed(HttpTexts, GermanHttpTexts.german),
  Layer.succeed(AuthTexts, GermanAuthTexts.german),
  Layer.succeed(FormTexts, GermanAuthTexts.germanForms),
  Layer.succeed(MailTexts, GermanMailTexts.german)
)
