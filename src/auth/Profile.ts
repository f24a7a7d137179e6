// What a program keeps of its accounts beside e-mail and password, such as a display name and a role.
import { Context, Effect, Option, type Redacted, Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import type { Language } from "../http/Languages.ts"
import type { User } from "../http/Layout.ts"
import { type AccountId, CurrentIdentity } from "../session/Identity.ts"
import type { Overloaded } from "./Password.ts"
import {
  checkNames,
  defaultsOf,
  type Definition,
  type Field,
  type Fields,
  type Values
} from "./internal/profile/ProfileDefinition.ts"
import { forget, readOnce } from "./internal/profile/ProfileRow.ts"
import * as ProfileRow from "./internal/profile/ProfileRow.ts"
import { type Duplicate, type Enrollment, Users } from "./Users.ts"

export type { Column } from "./internal/profile/ProfileRow.ts"
export type { Definition, Field } from "./internal/profile/ProfileDefinition.ts"

/**
 * The account has no profile, such as one from before the program had profiles: 403.
 *
 * @example
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Profile } from "effect-framework/auth"
 *
 * const Customer = Profile.make({
 *   signUp: Schema.Struct({ name: Schema.NonEmptyString }),
 *   fields: { name: { label: "Name" } }
 * })
 *
 * // Accounts from before the profile are greeted as well.
 * export const greeting = Effect.map(Customer.current, ({ name }) => `Hello, ${name}`).pipe(
 *   Effect.catchTag("NoProfile", () => Effect.succeed("Hello"))
 * )
 * ```
 */
export class NoProfile extends Schema.TaggedError<NoProfile>("effect-framework/auth/NoProfile")(
  "NoProfile",
  {},
  ErrorResponse.declared(403, "The account has no profile.")
) {
  override get message() {
    return "This account has no profile."
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(403)
  }
}

/**
 * Another account has this value, in a field of the profile that has a unique index: 409.
 *
 * @example
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Profile } from "effect-framework/auth"
 * import { FormState } from "effect-framework/routes/session"
 * import { Identity } from "effect-framework/session"
 *
 * const Handle = Schema.Struct({ handle: Schema.NonEmptyTrimmedString })
 *
 * const Customer = Profile.make({ signUp: Handle, fields: { handle: { label: "Handle" } } })
 *
 * export const rename = Effect.gen(function* () {
 *   const { id } = yield* Identity.CurrentIdentity
 *   return yield* Customer.set(id, yield* FormState.read(Handle))
 * }).pipe(
 *   Effect.catchTag("ProfileTaken", ({ message }: Profile.ProfileTaken) =>
 *     FormState.invalid(Handle, { status: 409, fieldErrors: { handle: message } })
 *   )
 * )
 * ```
 */
export class ProfileTaken extends Schema.TaggedError<ProfileTaken>("effect-framework/auth/ProfileTaken")(
  "ProfileTaken",
  { names: Schema.NonEmptyArray(Schema.String) },
  ErrorResponse.declared(409, "Another account has this value.")
) {
  override get message() {
    return `Another account has this ${this.names.join(", ")}.`
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(409)
  }
}

/**
 * The table of the profile lacks something; the program does not start.
 *
 * @example
 * ```ts
 * import { Effect, Layer, Schema } from "effect"
 * import { Profile } from "effect-framework/auth"
 * import { SqlProfile } from "effect-framework/layers/auth"
 *
 * const Customer = Profile.make({
 *   signUp: Schema.Struct({ name: Schema.NonEmptyString }),
 *   fields: { name: { label: "Name" } }
 * })
 *
 * // Before a deployment: what the table lacks, and nothing when the program would start.
 * export const problems = Effect.scoped(Layer.build(SqlProfile.layer(Customer, { table: "customers" }))).pipe(
 *   Effect.as<ReadonlyArray<string>>([]),
 *   Effect.catchTag("ProfileMismatch", (mismatch: Profile.ProfileMismatch) => Effect.succeed(mismatch.problems))
 * )
 * ```
 */
export class ProfileMismatch extends Schema.TaggedError<ProfileMismatch>("effect-framework/auth/ProfileMismatch")(
  "ProfileMismatch",
  {
    table: Schema.String,
    /** What is wrong with the table, each as the rest of a sentence. */
    problems: Schema.Array(Schema.String)
  }
) {
  override get message() {
    return `The profile does not fit its table: ${this.table} ${this.problems.join("; it ")}`
  }
}

/**
 * Stores the profiles of accounts. `SqlProfile.layer` provides it; without it, accounts have no profile.
 *
 * @example
 * ```ts
 * import { KeyValueStore } from "@effect/platform"
 * import { Effect, Layer, Option, Schema } from "effect"
 * import { Profile, Users } from "effect-framework/auth"
 *
 * const Customer = Profile.make({
 *   signUp: Schema.Struct({ name: Schema.NonEmptyString }),
 *   fields: { name: { label: "Name" } }
 * })
 *
 * // Profiles in another store than the database.
 * export const layer = Layer.effect(
 *   Profile.Profiles,
 *   Effect.gen(function* () {
 *     const users = yield* Users.Users
 *     const store = (yield* KeyValueStore.KeyValueStore).forSchema(Schema.Struct({ name: Schema.String }))
 *     return {
 *       definition: Customer.definition,
 *       enrollment: ({ name }) => ({ within: (user) => Effect.orDie(store.set(user, { name: String(name) })) }),
 *       read: (user) => Effect.orDie(store.get(user)),
 *       write: (user, { name }) =>
 *         Effect.flatMap(users.findById(user), (found) =>
 *           Option.isNone(found)
 *             ? Effect.succeed(false)
 *             : Effect.as(Effect.orDie(store.set(user, { name: String(name) })), true)
 *         ),
 *       remove: (user) => Effect.orDie(store.remove(user))
 *     }
 *   })
 * )
 * ```
 */
export class Profiles extends Context.Tag("effect-framework/auth/Profiles")<
  Profiles,
  {
    readonly definition: Definition
    /** What stores this profile with a new account. */
    readonly enrollment: (row: ProfileRow.Row) => Enrollment<ProfileTaken>
    readonly read: (user: AccountId) => Effect.Effect<Option.Option<ProfileRow.Row>>
    /** Stores the whole profile of an existing account; `false` when there is no such account. */
    readonly write: (user: AccountId, row: ProfileRow.Row) => Effect.Effect<boolean, ProfileTaken>
    /** Deletes the profile, before its account is deleted. */
    readonly remove: (user: AccountId) => Effect.Effect<void>
  }
>() {}

/** The profile of a program, with its type and that of what a visitor chooses at sign-up. */
export interface Profile<A, S = A> {
  readonly definition: Definition
  /** The fields of the sign-up and all of them, as an API describes them. */
  readonly schemas: { readonly signUp: Schema.Schema<S, Values>; readonly profile: Schema.Schema<A, Values> }
  /** The profile of the signed-in account, read once for each request. */
  readonly current: Effect.Effect<A, NoProfile, CurrentIdentity | Profiles>
  /** The profile of an account. */
  readonly find: (user: AccountId) => Effect.Effect<Option.Option<A>, never, Profiles>
  /** Replaces the profile of an account, or gives it one; `false` when there is no such account. */
  readonly set: (user: AccountId, profile: A) => Effect.Effect<boolean, ProfileTaken, Profiles>
  /** A new account with this profile, both or neither: for seeds and administration. */
  readonly enroll: (
    email: string,
    password: Redacted.Redacted,
    profile: A
  ) => Effect.Effect<AccountId, Duplicate | Overloaded | ProfileTaken, Profiles | Users>
  /** The profile that a layout is given with the signed-in user; `None` for a guest. */
  readonly of: (user: User | undefined) => Option.Option<A>
}

/** The fields of accounts, and how they are shown. */
export interface Options<A, I, B, J> {
  /** What a visitor fills in at sign-up. The names are those of the inputs and of the columns. */
  readonly signUp: Schema.Schema<A, I>
  /** What a visitor cannot choose, such as a role. Each field has a default. */
  readonly stored?: Schema.Schema<B, J>
  /** The labels; a program with several languages gives a function. A stored field without one is not shown. */
  readonly fields: FieldsOf<A, B> | ((language: Language) => FieldsOf<A, B>)
  /** The name that the layout shows. With it, every page of a signed-in user reads the profile. */
  readonly name?: (profile: A & B) => string
}

type FieldsOf<A, B> = { readonly [Name in keyof A]-?: Field } & { readonly [Name in keyof B]?: Field }

/** The texts of a form. */
type Texts = Readonly<Record<string, string | undefined>>

/**
 * A profile: the fields of the sign-up form with their schema, and those that only the program sets. Export it, and
 * provide `SqlProfile.layer` with it.
 *
 * @example
 * ```ts
 * import { Schema } from "effect"
 * import { Profile } from "effect-framework/auth"
 * import { SqlProfile } from "effect-framework/layers/auth"
 *
 * export const Customer = Profile.make({
 *   signUp: Schema.Struct({ display_name: Schema.NonEmptyString }),
 *   stored: Schema.Struct({ role: Schema.optionalWith(Schema.Literal("customer", "admin"), { default: () => "customer" }) }),
 *   fields: { display_name: { label: "Display name", autocomplete: "name" }, role: { label: "Role" } },
 *   name: ({ display_name }) => display_name
 * })
 *
 * export const layer = SqlProfile.layer(Customer, { table: "customers" })
 * ```
 */
export const make = <A extends Values, I extends Texts, B extends Values = {}, J extends ProfileRow.Row = {}>({
  fields,
  name,
  signUp,
  stored
}: Options<A, I, B, J>): Profile<A & B, A> => {
  // A boundary of the type system: without stored fields both types are `{}`.
  const rest = stored ?? (Schema.Struct({}) as unknown as Schema.Schema<B, J>)
  const defaults = defaultsOf(rest)
  const schema: Schema.Schema<A & B, I & J> = Schema.extend(signUp, rest)
  const signUpColumns = ProfileRow.columnsOf(signUp.ast)
  const columns = [...signUpColumns, ...ProfileRow.columnsOf(rest.ast)]
  checkNames(columns.map((column) => column.name))
  const decode = (row: ProfileRow.Row) => Effect.orDie(Schema.decodeUnknown(schema)(row))
  const encode = (values: Values) => Effect.orDie(Schema.encodeUnknown(schema)(values))

  const definition: Definition = {
    // A boundary of the type system: a form has texts by name.
    form: signUp as unknown as Schema.Schema<Values, Values>,
    signUp: signUpColumns,
    columns,
    fields: (language): Fields => (typeof fields === "function" ? fields(language) : fields),
    initial: (values) => encode({ ...values, ...defaults }),
    encode,
    ...(name !== undefined && {
      shown: (row) => Effect.map(decode(row), (profile) => ({ name: name(profile), profile }))
    })
  }

  const store = Effect.filterOrDieMessage(
    Profiles,
    (given) => given.definition === definition,
    "SqlProfile.layer was given another profile than the one that is used here"
  )
  const decodeSome = Option.match({
    onNone: () => Effect.succeedNone,
    onSome: (row: ProfileRow.Row) => Effect.asSome(decode(row))
  })
  const is = Schema.is(Schema.typeSchema(schema))

  return {
    definition,
    // A boundary of the type system: both are encoded as values by name.
    schemas: {
      signUp: signUp as unknown as Schema.Schema<A, Values>,
      profile: schema as unknown as Schema.Schema<A & B, Values>
    },
    current: Effect.gen(function* () {
      const { id } = yield* CurrentIdentity
      const found = yield* decodeSome(yield* readOnce(yield* store, id))
      return yield* Effect.mapError(found, () => new NoProfile())
    }),
    find: (user) =>
      Effect.flatMap(
        Effect.flatMap(store, ({ read }) => read(user)),
        decodeSome
      ),
    set: (user, profile) =>
      Effect.gen(function* () {
        const { write } = yield* store
        const isStored = yield* write(user, yield* encode(profile))
        yield* forget
        return isStored
      }),
    enroll: (email, password, profile) =>
      Effect.gen(function* () {
        const { enrollment } = yield* store
        const users = yield* Users
        return yield* users.enroll(email, password, enrollment(yield* encode(profile)))
      }),
    of: (user) => Option.liftPredicate(user?.profile, is)
  }
}
