// The framework's own layout. A program with its own design provides another `Layout`.
import { Layer } from "effect"
import * as Asset from "./Asset.ts"
import { type Html, html } from "./Html.ts"
import { HttpTexts, type Texts } from "./HttpTexts.ts"
import { english, type Language } from "./Languages.ts"
import { Layout, type Notice, type Page, type User } from "./Layout.ts"
import { script } from "./internal/text/Script.ts"
import { stylesheet } from "./internal/text/Stylesheet.ts"

const style = Asset.make("/assets/style.css", "text/css; charset=utf-8", stylesheet)

// Every page works without the script.
const enhancement = Asset.make("/assets/enhance.js", "text/javascript; charset=utf-8", script)

/** The stylesheet and the script that the pages link to. */
export const assets: ReadonlyArray<Asset.Asset> = [style, enhancement]

type Links = ReadonlyArray<{ readonly href: string; readonly text: string }>

/** The name, links and footer of the layout. */
export interface Options {
  /** The name of the program: in the bar, in the title and in its e-mails. */
  readonly name: string
  /** The links in the bar. A function for several languages, or for links that not everyone sees. */
  readonly links?: Links | ((language: Language, user: User | undefined) => Links)
  readonly footer?: Html | ((language: Language) => Html)
}

const notice = ({ text, tone }: Notice): Html =>
  html`<p class="notice ${tone}" role="${tone === "error" ? "alert" : "status"}">${text}</p>`

const account = (user: User | undefined, texts: Texts["layout"]): Html =>
  user === undefined
    ? html`<a href="/login">${texts.signIn}</a><a href="/register">${texts.signUp}</a>`
    : html`<a href="/account">${user.name ?? texts.account}</a>
        <form method="post" action="/logout">
          <input type="hidden" name="_token" value="${user.token}" /><button class="link" type="submit">
            ${texts.signOut}
          </button>
        </form>`

const page =
  ({ footer, links = [], name }: Options) =>
  (page: Page): Html => {
    const { language = english } = page
    const { layout: texts } = language.texts(HttpTexts)
    const shownLinks = typeof links === "function" ? links(language, page.user) : links
    const shownFooter = typeof footer === "function" ? footer(language) : footer
    return html`<!doctype html>
      <html lang="${language.tag}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${page.title === name ? name : `${page.title} · ${name}`}</title>
          <link rel="icon" href="data:," />
          <link rel="stylesheet" href="${style.href}" />
          <script src="${enhancement.href}" defer></script>
        </head>
        <body>
          <a class="skip" href="#main">${texts.skip}</a>
          <header class="bar">
            <div>
              <a class="brand" href="/">${name}</a>
              <nav aria-label="${texts.navigation}">
                ${shownLinks.map(({ href, text }) => html`<a href="${href}">${text}</a>`)} ${account(page.user, texts)}
              </nav>
            </div>
          </header>
          <main id="main" class="${page.width ?? "wide"}">${(page.notices ?? []).map(notice)} ${page.main}</main>
          ${shownFooter !== undefined && html`<footer><div>${shownFooter}</div></footer>`}
        </body>
      </html> `
  }

/** The layout. Mount `assets` too: without them it has no style. */
export const layer = (options: Options): Layer.Layer<Layout> =>
  Layer.succeed(Layout, { name: options.name, page: page(options) })
