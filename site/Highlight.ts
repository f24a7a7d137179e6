// The colours of code as classes of few letters, and none around plain text: a style on each word would be a sixth of a long page.
interface Node {
  readonly type: string
  readonly properties?: Record<string, unknown>
  children?: Array<Node>
}

/** The class of each colour of the theme `github-light`; what is not here is plain text. */
const classes: Readonly<Record<string, string>> = {
  "#D73A49": "hk",
  "#6F42C1": "hf",
  "#032F62": "hs",
  "#005CC5": "hc",
  "#E36209": "hp",
  "#6A737D": "ho",
  "#22863A": "ht"
}

/** A transformer of Shiki. */
export const colors = {
  name: "effect-framework:colors",
  span: ({ properties = {} }: Node): void => {
    const style = properties["style"]
    const [, color = ""] = /--shiki-light:(#\w+)/.exec(JSON.stringify(style ?? "")) ?? []
    const found = classes[color.toUpperCase()]
    delete properties["style"]
    if (found !== undefined) properties["class"] = found
  },
  line: (line: Node): void => {
    line.children = (line.children ?? []).flatMap((word) =>
      word.properties !== undefined && Object.keys(word.properties).length === 0 ? (word.children ?? []) : [word]
    )
  }
}
