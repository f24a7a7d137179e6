// Where the server listens, once it does.
import { Context } from "effect"

/** The address that the server took; with port 0 the one that was free. */
export class ServerAddress extends Context.Tag("effect-framework/server/ServerAddress")<
  ServerAddress,
  { readonly host: string; readonly port: number; readonly url: string }
>() {}
