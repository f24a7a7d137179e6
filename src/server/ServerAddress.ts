// The address of the running server.
import { Context } from "effect"

/** The address that the server listens on; with port 0, the port that was assigned. */
export class ServerAddress extends Context.Tag("effect-framework/server/ServerAddress")<
  ServerAddress,
  {
    readonly host: string
    readonly port: number
    readonly url: string
    /** The paths of its routes, as they are declared. */
    readonly paths: ReadonlyArray<string>
  }
>() {}
