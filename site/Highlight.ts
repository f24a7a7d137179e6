// The colours of code as classes: a style on each word would be a sixth of a long page.
interface Span {
  readonly properties: Record<string, unknown>
}

/** The class of each colour of the theme `github-light`; what is not here is plain text. */
const classes: Readonly<Record<string, string>> = {
  "#D73A49": "hl-keyword",
  "#6F42C1": "hl-function",
  "#032F62": "hl-string",
  "#005CC5": "hl-constant",
  "#E36209": "hl-parameter",
  "#6A737D": "hl-comment",
  "#22863A": "hl-tag"
}

/** A transformer of Shiki. */
export const colors = {
  name: "effect-framework:colors",
  span: ({ properties }: Span): void => {
    const style = properties["style"]
    const [, color = ""] = /--shiki-light:(#\w+)/.exec(JSON.stringify(style ?? "")) ?? []
    const found = classes[color.toUpperCase()]
    delete properties["style"]
    if (found !== undefined) properties["class"] = found
  }
}
