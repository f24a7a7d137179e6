// Links that open a file in an editor on the developer's machine. The server opens nothing.
import type { Place } from "../../Sources.ts"

/** `%p` is the path, `%l` the line, `%c` the column. */
export const editors = {
  "VS Code": "vscode://file%p:%l:%c",
  Cursor: "cursor://file%p:%l:%c",
  Windsurf: "windsurf://file%p:%l:%c",
  Zed: "zed://file%p:%l:%c",
  "IntelliJ IDEA": "idea://open?file=%p&line=%l&column=%c",
  WebStorm: "webstorm://open?file=%p&line=%l&column=%c",
  "Sublime Text": "subl://open?url=file://%p&line=%l&column=%c",
  TextMate: "txmt://open?url=file://%p&line=%l&column=%c",
  Emacs: "emacs://open?url=file://%p&line=%l&column=%c",
  MacVim: "mvim://open?url=file://%p&line=%l&column=%c",
  Nova: "nova://open?path=%p&line=%l&column=%c"
} as const

/** The name of an editor that a link can open. */
export type Editor = keyof typeof editors

/** A path, encoded for the URL of any editor. */
export const encode = (file: string): string =>
  encodeURI(file.replaceAll("\\", "/").replace(/\p{Surrogate}/gu, "\uFFFD")).replace(
    /[?#&+:']/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  )

/** The URL that opens a place in an editor. */
export const link = (editor: Editor, { column, file, line }: Place): string => {
  const values: Record<string, string> = { p: encode(file), l: String(line), c: String(Math.max(1, column)) }
  return editors[editor].replace(/%([plc])/g, (_, name: string) => values[name] ?? "")
}
