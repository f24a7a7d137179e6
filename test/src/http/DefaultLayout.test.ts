import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as DefaultLayout from "../../../src/http/DefaultLayout.ts"
import { html } from "../../../src/http/Html.ts"
import { Layout, type Page } from "../../../src/http/Layout.ts"

const render = (page: Partial<Page>, options: Partial<Parameters<typeof DefaultLayout.layer>[0]> = {}) =>
  Effect.map(Layout, (layout) => layout.page({ title: "Inbox", main: html`<h1>Hello</h1>`, ...page }).markup).pipe(
    Effect.provide(DefaultLayout.layer({ name: "Tea & Co", ...options })),
    Effect.runSync
  )

describe("the default layout", () => {
  it("escapes the title and the name", () => {
    expect(render({ title: "<b>" })).toContain("<title>&lt;b&gt; · Tea &amp; Co</title>")
  })

  it("links to its assets by their URLs with a hash", () => {
    const page = render({})
    for (const { href } of DefaultLayout.assets) expect(page).toContain(`"${href}"`)
  })

  it("has a sign-out form with the CSRF token for a user, and links to sign in for anyone else", () => {
    const [user, guest] = [render({ user: { email: "ada@example.com", token: 'a"b' } }), render({})]
    expect(user).toContain('name="_token" value="a&quot;b"')
    expect(user).not.toContain('href="/login"')
    expect(guest).toContain('href="/login"')
    expect(guest).not.toContain('action="/logout"')
  })

  it("announces a bad notice as an alert and any other one as a status", () => {
    const page = render({
      notices: [
        { tone: "error", text: "Wrong" },
        { tone: "success", text: "Saved" }
      ]
    })
    expect(page).toContain('<p class="notice error" role="alert">Wrong</p>')
    expect(page).toContain('<p class="notice success" role="status">Saved</p>')
  })

  it("has a footer only when the program gives one", () => {
    expect(render({})).not.toContain("<footer>")
    expect(render({}, { footer: html`<small>2026</small>` })).toContain(
      "<footer><div><small>2026</small></div></footer>"
    )
  })
})
