// Where the server listens, once it does.
import { Context } from "effect"

export class Listening extends Context.Tag("server/Listening")<
  Listening,
  { readonly host: string; readonly port: number; readonly url: string }
>() {}
