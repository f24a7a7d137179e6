// What gives a person a session. Programs cannot name these members of `Session` and `Sessions`: every way to sign in ends in
// `SignIn.complete`, with its hooks, events and second factor.

/** The member of a `Session` that signs an account in on it, with a new id. */
export const signIn: unique symbol = Symbol("effect-framework/session/signIn")

/** The member of `Sessions` that opens a session for a client without cookies. */
export const openBearer: unique symbol = Symbol("effect-framework/session/openBearer")
