// A catalogue of one text in two languages, and the text that a request gets.
import { Context, Effect, Layer } from "effect"
import * as RequestTexts from "../../routes/http/internal/RequestTexts.ts"

interface Texts {
  readonly hello: string
}

export class Greeting extends Context.Reference<Greeting>()("test/Greeting", {
  defaultValue: (): Texts => ({ hello: "Hello" })
}) {}

export const german = Layer.succeed(Greeting, { hello: "Hallo" })

/** The text for a request with this `Accept-Language`. */
export const greet = (acceptLanguage: string | undefined) =>
  Effect.map(Effect.context<never>(), (services) => RequestTexts.bind(services, acceptLanguage).texts(Greeting).hello)
