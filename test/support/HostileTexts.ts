// Texts that make a careless parser go back and forth: long runs, marks without their partners, broken encodings.

/** A text of about this many characters. */
export type Hostile = (size: number) => string

const repeated =
  (unit: string): Hostile =>
  (size) =>
    unit.repeat(Math.ceil(size / unit.length)).slice(0, size)

const between =
  (start: string, unit: string, end: string): Hostile =>
  (size) =>
    start + repeated(unit)(size) + end

const nested =
  (open: string, close: string): Hostile =>
  (size) =>
    open.repeat(Math.ceil(size / 2 / open.length)) + close.repeat(Math.ceil(size / 2 / open.length))

const units: ReadonlyArray<ReadonlyArray<string>> = [
  [..."a A1 \t\n\r\0@:/?#&=;,.-_+*%\\\"'`()[]{}<>|~^$!"],
  ["é", "😀", "\uD800", "\uDC00", "\uDC00\uD800", "\u202E", "\u2028", "\uFEFF", "K"],
  ["\r\n", "\n\r", " \n", "\n ", " \t", "\r \n", "\na"],
  ["://", "a://", "://@", "a:b@", "a://b:c", "a.b@c.", "@:", "//", "/../", "a.", "a-", "a+", ".-"],
  ["a=b&", "a=b;", "a=b, ", "a=", "=a", "a;q=", "a/b,", ",,;", "q=0.", "?a", "#a", "&&=", "password=", "token: "],
  ["%4", "%41", "%E2%82", "%zz", "%%", "+%20", "a%3D"],
  ['\\"', '"a":"', '"a" : ', "a='", 'a="\\', "\"'", "\"\\'", "a: ", "a:\t'"],
  ["/a[", "/[/", "`${", "${}", "/*", "*/", "//", "/a/", "<a", "<style", "</style", "<!--", "{{", "{{ ", "}}", "{{a"],
  [" (", ") ", "at a (", "\n at (", "\n    at a (b:1:1)", " [as ", "a:1:", ":1", "1.", "1.1.1.1,", "::", "[::1],"],
  ["=?", "=?UTF-8?B?", "Bearer ", "Basic a", "Bearer aaaaaaa,", "aaaaaa;", "aaaaaaaaaaaaaaaa/", "Error: ", "Version/"],
  ["[1,", "[1234567890123456789,", '{"a":', '["', "-9", "g.1.", "a?*", "*a"]
]

const shapes: ReadonlyArray<readonly [string, Hostile]> = [
  ["brackets in brackets", nested("[", "]")],
  ["objects in objects", nested('{"a":', "}")],
  ["a list of strings", between("[", '"a",', '"a"]')],
  ["a list of long integers", between("[", "1234567890123456789,", "1]")],
  ["an object with many names", (size) => `{${repeatedNames(size)}}`],
  ["spaces before a word", between("", " ", "x")],
  ["spaces after a word", between("x", " ", "x")],
  ["spaces after a mark", between("{{", " ", "x")],
  ["spaces before a bracket", between("a", " ", "<")],
  ["spaces after a name", between("password:", " ", "x")],
  ["spaces after a scheme", between("Bearer", " ", "!")],
  ["slashes before a word", between("https://a", "/", "x")],
  ["backslashes before a word", between("a", "\\", "x")],
  ["an endless string", between('password="', "a", "")],
  ["an endless escaped string", between('password="', '\\"', "")],
  ["an endless user", between("postgres://", "a", "")],
  ["an endless password", between("postgres://a:", "a", "")],
  ["an endless scheme", between("", "a", "://")],
  ["an endless frame", between("Error: x\n    at ", "a (", "")],
  ["an endless comment", between("/*", "*", "")],
  ["an endless weight", between("text/html;q=", "1", "x")],
  ["newlines before a word", between("?", "?", "\nx")],
  ["a source map that is none", between("//# sourceMappingURL=", "x", " x")]
]

const repeatedNames = (size: number): string =>
  Array.from({ length: Math.ceil(size / 9) }, (_, index) => `"${String(index).padStart(4, "0")}":1`).join()

/** The one corpus that every function which reads text must survive in linear time. */
export const hostileTexts: ReadonlyArray<readonly [label: string, text: Hostile]> = [
  ...[...new Set(units.flat())].map((unit) => [`${JSON.stringify(unit)} repeated`, repeated(unit)] as const),
  ...shapes
]
