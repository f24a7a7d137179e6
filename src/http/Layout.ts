// The layout around every page, as a service that a program can replace.
import { Context } from "effect"
import type { Html } from "./Html.ts"
import type { Language } from "./Languages.ts"

/** A short message that is shown once. */
export interface Notice {
  readonly tone: "success" | "error" | "info"
  readonly text: string
}

/** The signed-in user, and the CSRF token of the sign-out button. */
export interface User {
  readonly email: string
  readonly token: string
  /** The name in the profile of the account, where the program has profiles with a name. */
  readonly name?: string
  /** That profile; `of` of the program's `Profile` gives it its type. */
  readonly profile?: unknown
}

/** The parts of a page. */
export interface Page {
  readonly title: string
  readonly main: Html
  readonly notices?: ReadonlyArray<Notice>
  readonly user?: User
  /** `narrow` suits a form, `wide` a list. */
  readonly width?: "narrow" | "wide"
  /** The language of the page; English by default. */
  readonly language?: Language
}

/** Renders a page. Provide your own to give every page of the framework your design. */
export class Layout extends Context.Tag("effect-framework/http/Layout")<
  Layout,
  {
    readonly page: (page: Page) => Html
    /** The name of the program, in its e-mails too; by default the host of `APP_URL`. */
    readonly name?: string
  }
>() {}
