// TypeScript in colour, a few lines at a time: enough of the grammar to be right about strings and comments.

/** What a piece of code is: comment, keyword, string, number, regular expression, type, call, or nothing special. */
export type Kind = "c" | "k" | "s" | "n" | "r" | "t" | "f" | ""

export type Token = readonly [kind: Kind, text: string]

const keywords = new Set(
  `abstract as async await break case catch class const continue debugger declare default delete do else enum export
  extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace
  new null of override private protected public readonly return satisfies set static super switch this throw true try
  type typeof undefined var void while with yield`.split(/\s+/)
)

// After one of these a slash begins a regular expression and does not divide.
const operands = new Set(["return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "yield"])

/** Where a line begins: in code, in a comment, or in a template, inside how many open substitutions. */
interface State {
  mode: "code" | "comment" | "template"
  /** The braces open in each substitution that the text is inside of. */
  readonly braces: Array<number>
}

const word = /[A-Za-z_$][\w$]*/y
const number = /\d[\w.]*/y
const space = /\s+/y
const regex = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const quoted = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?/y

const sticky = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ""
}

type Paint = (kind: Kind, text: string) => void

const comment = (state: State, text: string, at: number, paint: Paint): number => {
  const end = text.indexOf("*/", at)
  if (end >= 0) state.mode = "code"
  const next = end < 0 ? text.length : end + 2
  paint("c", text.slice(at, next))
  return next
}

const template = (state: State, text: string, from: number, paint: Paint): number => {
  let at = from
  while (at < text.length && text[at] !== "`" && !text.startsWith("${", at)) at += text[at] === "\\" ? 2 : 1
  if (at >= text.length) {
    paint("s", text.slice(from))
    return text.length
  }
  state.mode = "code"
  if (text[at] === "`") {
    paint("s", text.slice(from, at + 1))
    return at + 1
  }
  state.braces.push(0)
  paint("s", text.slice(from, at))
  paint("k", "${")
  return at + 2
}

const brace = (state: State, char: string, paint: Paint): void => {
  const open = state.braces.length - 1
  const count = (state.braces[open] ?? 0) + (char === "{" ? 1 : -1)
  if (open >= 0 && count < 0) {
    state.braces.pop()
    state.mode = "template"
    return paint("k", char)
  }
  if (open >= 0) state.braces[open] = count
  paint("", char)
}

const kindOf = (name: string, text: string, end: number): Kind => {
  if (keywords.has(name)) return "k"
  if (/^[A-Z]/.test(name)) return "t"
  return text[end] === "(" ? "f" : ""
}

const scan = (state: State, text: string, paint: Paint): void => {
  // Whether a slash here would divide: after a name, a number or a closing bracket.
  let operand = false
  for (let at = 0; at < text.length;) {
    if (state.mode !== "code") {
      at = (state.mode === "comment" ? comment : template)(state, text, at, paint)
      operand = true
      continue
    }
    const char = text[at] ?? ""
    let kind: Kind = ""
    let token = sticky(space, text, at)
    if (token !== "") {
      paint("", token)
      at += token.length
      continue
    }
    if (text.startsWith("//", at)) return paint("c", text.slice(at))
    if (text.startsWith("/*", at) || char === "`") {
      const mark = char === "`" ? char : "/*"
      state.mode = char === "`" ? "template" : "comment"
      paint(char === "`" ? "s" : "c", mark)
      at += mark.length
      continue
    }
    if (char === "{" || char === "}") {
      brace(state, char, paint)
      operand = false
      at++
      continue
    }
    if ((token = sticky(word, text, at)) !== "") kind = kindOf(token, text, at + token.length)
    else if ((token = sticky(number, text, at)) !== "") kind = "n"
    else if ((token = sticky(quoted, text, at)) !== "") kind = "s"
    else if (!operand && (token = sticky(regex, text, at)) !== "") kind = "r"
    else token = char
    operand = /[\w$)\]"']$/.test(token) && !operands.has(token)
    paint(kind, token)
    at += token.length
  }
}

/** The tokens of each line. What stands `before` them tells whether they begin inside a comment or a template. */
export const lines = (
  shown: ReadonlyArray<string>,
  before: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<Token>> => {
  const state: State = { mode: "code", braces: [] }
  for (const line of before) scan(state, line, () => {})
  return shown.map((line) => {
    const tokens: Array<Token> = []
    scan(state, line, (kind, text) => tokens.push([kind, text]))
    return tokens
  })
}
