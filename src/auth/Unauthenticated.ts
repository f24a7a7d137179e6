// Nobody is signed in.
import { Schema } from "effect"
import * as Answer from "../errors/Answer.ts"

/** Nobody is signed in; answered with 401 to a program, with the sign-in page to a person. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>()("Unauthenticated", {}) {
  override get message() {
    return "Sign in to continue."
  }
  get [Answer.symbol]() {
    return Answer.of(401)
  }
}
