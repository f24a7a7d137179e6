// The search, which runs in the browser over an index that is a file of the site.
import { relative } from "node:path"
import { root } from "./Navigation.ts"

export interface Section {
  readonly anchor: string
  /** The headings above it and its own. */
  readonly titles: ReadonlyArray<string>
  readonly text: string
}

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" }

/** The text of some HTML, with a space where an element ended. */
const plain = (html: string): string =>
  html
    // Where a name is used is said by those pages themselves.
    .replace(/<small class="uses">.*?<\/small>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(lt|gt|amp|quot|#39);/g, (_, name: string) => entities[name] ?? "")
    .replace(/\u200B/g, "")
    .replace(/\s+/g, " ")
    .trim()

const heading = /<h([1-6])[^>]*?id="([^"]*)"[^>]*>(.*?)<a class="header-anchor".*?<\/h\1>/g

const item = /<li id="([^"]+)">/g

// A page of the reference has a section for each export, as well as one for each module.
const parts = (anchor: string, titles: ReadonlyArray<string>, html: string): ReadonlyArray<Section> => {
  const [own = "", ...exports] = html.split(item)
  const names = exports.filter((_, index) => index % 2 === 0)
  return [
    { anchor, titles, text: plain(own) },
    ...names.map((name, index) => ({
      anchor: name,
      titles: [...titles, name.replace(/-\d+$/, "")],
      text: plain(exports[index * 2 + 1] ?? "")
    }))
  ]
}

/** The sections of a page that are found. The index of the reference repeats its pages, so it is not searched. */
export const sections = (file: string, html: string): ReadonlyArray<Section> => {
  const path = relative(root, file)
  if (path === "docs/api/README.md" || path === "site/index.md") return []
  const [, ...found] = html.split(heading)
  const above: Array<string> = []
  const all: Array<Section> = []
  for (let at = 0; at < found.length; at += 4) {
    const [level = "1", anchor = "", title = "", content = ""] = found.slice(at, at + 4)
    above.length = Number(level) - 1
    above[Number(level) - 1] = plain(title)
    all.push(
      ...parts(
        anchor,
        above.filter((one) => one !== undefined && one !== ""),
        content
      )
    )
  }
  return all
}

// The browser gets these functions as text: each has all that it needs.
export const miniSearch = {
  options: {
    // `Access.requireUser` and `APP_URL` are words of their own beside those that they are made of.
    tokenize: (text: string) => [
      ...text.split(/[\n\r\p{Z}\p{P}\p{S}]+/u),
      ...Array.from(text.matchAll(/\b[A-Z]\w*(?:\.|_(?=[A-Z]))\w+/g), ([name]) => name)
    ],
    // `requireUser` is found as one word and by its parts.
    processTerm: (term: string) => {
      if (/[._]/.test(term)) return `.${term.toLowerCase()}`
      const parts = term
        .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
        .toLowerCase()
        .split(" ")
      return parts.length === 1 ? parts : [parts.join(""), ...parts]
    }
  },
  searchOptions: {
    fuzzy: (term: string) => (term.length > 4 && !term.startsWith(".") ? 0.15 : false),
    prefix: (term: string) => term.length > 2,
    boost: { title: 3, titles: 2, text: 1 },
    processTerm: (term: string) => {
      const word = /[._]/.test(term) ? `.${term.toLowerCase()}` : term.toLowerCase()
      // The small words of a question are in every section.
      const small =
        "a an the is are be do does did i my me we our you your it its how what where when why which who can could should to of for and or with by in on at from as that this there get use using want one"
      if (small.split(" ").includes(word)) return null
      // What others call it.
      const others: Readonly<Record<string, ReadonlyArray<string>>> = {
        login: ["login", "sign"],
        logout: ["logout", "sign"],
        log: ["log", "sign"],
        signup: ["sign", "register"],
        "2fa": ["factor", "second"],
        mfa: ["factor", "second"],
        two: ["two", "second"],
        totp: ["totp", "factor"],
        permission: ["permission", "role"],
        permissions: ["permission", "role"],
        docker: ["docker", "container"],
        cron: ["cron", "periodic"],
        background: ["background", "job"],
        queue: ["queue", "job"],
        theme: ["layout", "branding"],
        look: ["layout", "branding"],
        design: ["layout", "branding"],
        i18n: ["language", "languages"],
        translate: ["translate", "language", "languages"],
        downtime: ["restart", "rolling"],
        nginx: ["nginx", "proxy"],
        haproxy: ["haproxy", "proxy"],
        email: ["mail", "e-mail"],
        exception: ["error", "defect"],
        crash: ["error", "defect"],
        image: ["picture", "upload"],
        photo: ["picture", "upload"],
        avatar: ["picture", "upload"]
      }
      return others[word] === undefined ? word : [...others[word]]
    },
    // A name finds its place in the reference. A question finds a guide before what was, what was measured and how it is built.
    boostDocument: (id: string, term: string) => {
      if (/^\/(?:changelog|contributing|decisions|performance|specification)\./.test(id)) return 0.2
      if (!id.startsWith("/api/")) return 1
      return term.startsWith(".") ? 4 : 0.12
    }
  }
}
