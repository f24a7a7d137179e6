// The built-in error page: the code and the text of a status.
import { html, trusted } from "../../http/Html.ts"

/** The style, inlined by its hash. */
export const style = `:root{color-scheme:light dark;--ground:#f6f5f1;--ink:#1c1d22;--faint:#5d606b}
@media (prefers-color-scheme:dark){:root{--ground:#15161b;--ink:#e9e9ee;--faint:#a4a8b5}}
html{font:100%/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--ground);color:var(--ink)}
body{margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;padding:2rem;box-sizing:border-box}
p{margin:0;font-size:clamp(3.5rem,2rem + 8vw,6rem);font-weight:750;line-height:1;letter-spacing:-.05em}
h1{margin:.75rem 0 0;font-size:1.15rem;font-weight:500;color:var(--faint)}`

/** The hash that allows the style in a Content-Security-Policy. A test compares it with the style above. */
export const styleHash = "'sha256-J7oCjp9DM52AyO4Um4BK7yL7/JKWnYhoFVo+aT54ywE='"

// As one piece: white space around the style would change its hash.
const sheet = trusted(`<style>${style}</style>`)

/** The document of a status. */
export const render = (status: number, message: string, language: string = "en"): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${status} ${message}</title>
        <link rel="icon" href="data:," />
        ${sheet}
      </head>
      <body>
        <main>
          <p>${status}</p>
          <h1>${message}</h1>
        </main>
      </body>
    </html>`.markup
