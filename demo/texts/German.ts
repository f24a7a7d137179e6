// German: every text of the framework and of the demo.
import { Layer } from "effect"
import { AuthTexts } from "../../src/auth/AuthTexts.ts"
import { HttpTexts } from "../../src/http/HttpTexts.ts"
import { MailTexts } from "../../src/mail/MailTexts.ts"
import { DemoTexts } from "./DemoTexts.ts"
import * as GermanAuth from "./GermanAuth.ts"
import * as GermanDemo from "./GermanDemo.ts"
import * as GermanHttp from "./GermanHttp.ts"
import * as GermanMail from "./GermanMail.ts"

export const layer = Layer.mergeAll(
  Layer.succeed(HttpTexts, GermanHttp.german),
  Layer.succeed(AuthTexts, GermanAuth.german),
  Layer.succeed(MailTexts, GermanMail.german),
  Layer.succeed(DemoTexts, GermanDemo.german)
)
