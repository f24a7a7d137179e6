// The frame around every page: a service, so that a program brings its own.
import { Context } from "effect"
import type { Html } from "./Html.ts"

/** A short message that is shown once. */
export interface Notice {
  readonly tone: "good" | "bad" | "plain"
  readonly text: string
}

/** The person who is signed in, and the form token that the sign-out button needs. */
export interface Viewer {
  readonly email: string
  readonly token: string
}

/** What a page gives to its frame. */
export interface Page {
  readonly title: string
  readonly main: Html
  readonly notices?: ReadonlyArray<Notice>
  readonly viewer?: Viewer
  /** `narrow` suits a form, `wide` a list. */
  readonly width?: "narrow" | "wide"
}

/** Frames a page; provide your own to give every page of the framework your design. */
export class Layout extends Context.Tag("effect-framework/http/Layout")<
  Layout,
  { readonly page: (page: Page) => Html }
>() {}
