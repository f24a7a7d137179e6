// Syntax highlighting of TypeScript: enough of the grammar to recognise strings, comments and templates.

/** What a piece of code is: comment, keyword, string, number, regular expression, type, call, or nothing special. */
export type Kind = "c" | "k" | "s" | "n" | "r" | "t" | "f" | ""

/** A piece of code and what it is. */
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

// One step through code: a comment, the opening of a comment, a string, a word or number, space, marks, or one of the
// characters that change everything.
const step = /\/\/.*|\/\*|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[\d][\w.]*|[A-Za-z_$][\w$]*|\s+|[^\s\w$"'`{}/]+|[^]/y
const regex = /\/(?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y

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

const divides = /[\w$)\]"']$/
const letter = /[A-Za-z_$]/

const scan = (state: State, text: string, paint: Paint): void => {
  // Whether a slash here would divide: after a name, a number or a closing bracket.
  let operand = false
  for (let at = 0; at < text.length;) {
    if (state.mode !== "code") {
      at = (state.mode === "comment" ? comment : template)(state, text, at, paint)
      operand = true
      continue
    }
    step.lastIndex = at
    // `test` instead of `exec`: an array for each token would cost more than everything else.
    step.test(text)
    let token = text.slice(at, Math.max(at + 1, step.lastIndex))
    const first = token.charAt(0)
    if (first === "/" && token.length > 1) {
      if (token === "/*") state.mode = "comment"
      paint("c", token)
    } else if (first === "`") {
      state.mode = "template"
      paint("s", token)
    } else if (first === "{" || first === "}") {
      brace(state, token, paint)
      operand = false
    } else if (first === '"' || first === "'") {
      paint("s", token)
      operand = true
    } else if (letter.test(first)) {
      paint(kindOf(token, text, at + token.length), token)
      operand = !operands.has(token)
    } else if (first >= "0" && first <= "9") {
      paint("n", token)
      operand = true
    } else if (first === "/" && !operand) {
      regex.lastIndex = at
      const isLiteral = regex.test(text)
      if (isLiteral) token = text.slice(at, regex.lastIndex)
      paint(isLiteral ? "r" : "", token)
      operand = isLiteral
    } else {
      paint("", token)
      if (token.trim() !== "") operand = divides.test(token)
    }
    at += token.length
  }
}

// A line that opens neither a comment nor a template leaves the next one where it began.
const opens = (line: string): boolean => line.includes("`") || line.includes("/*")

// A line of a bundle with many slashes takes quadratic time.
const longest = 1024

/** The tokens of each line. What stands `before` them tells whether they begin inside a comment or a template. */
export const lines = (
  shown: ReadonlyArray<string>,
  before: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<Token>> => {
  const state: State = { mode: "code", braces: [] }
  const first = before.findIndex(opens)
  if (first >= 0) for (const line of before.slice(first)) scan(state, line.slice(0, longest), () => {})
  return shown.map((line) => {
    const tokens: Array<Token> = []
    scan(state, line.slice(0, longest), (kind, text) => tokens.push([kind, text]))
    if (line.length > longest) tokens.push(["", line.slice(longest)])
    return tokens
  })
}
