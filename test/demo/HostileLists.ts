// Queries of `/articles` that speak the languages of the searches, forge cursors and leave the range of a number.

// The languages of both full-text searches.
const searches = [
  '"',
  '""',
  '"a',
  "*",
  "a*",
  "^a",
  "NEAR(a b)",
  "NEAR/2",
  "title:a",
  "{title summary}: a",
  "- a",
  "a AND",
  "OR",
  "(",
  "a + b",
  "a & | ! b",
  "!a",
  "a <-> b",
  "a:*",
  "a:AB",
  "'; DROP TABLE articles; --",
  "\\",
  "%_",
  "\ufffe",
  "x ".repeat(50),
  "日".repeat(100),
  "'".repeat(100),
  "a".repeat(101)
]

const numbers = [
  "0",
  "-1",
  "2147483648",
  "9007199254740993",
  "9223372036854775807",
  "-9223372036854775809",
  "1e309",
  "NaN"
]

// Values of a cursor by the name of an author, a title and an id, as JSON would spell them.
const values = [
  ...numbers,
  "null",
  "true",
  "[]",
  "{}",
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '"\ufffd"',
  '"a"',
  `"${"x".repeat(3000)}"`,
  "[".repeat(500)
]
const cursors = values.flatMap((value) =>
  [`[${value}]`, `[${value},"a",1]`, `["a",${value},1]`, `["a","a",${value}]`, `["a","a",1,${value}]`].map((text) =>
    Buffer.from(text).toString("base64url")
  )
)

/** Queries of a list: none of them is an error of the server, and most are answered or refused by name. */
export const lists = [
  ...searches.flatMap((q) => [
    `q=${encodeURIComponent(q)}`,
    `q=${encodeURIComponent(q)}&sort=-author,-title&cursor=&author=3`
  ]),
  ...numbers.flatMap((number) => [
    `author=${number}`,
    `page=${number}&sort=author,title`,
    `limit=${number}&before=&sort=author,title`
  ]),
  ...cursors.flatMap((cursor, index) => [
    `sort=${["author,title", "-author,-title"][index % 2]}&${["cursor", "before"][(index >> 1) % 2]}=${cursor}`
  ]),
  ...["author", "-author", "author,title,id", "author,-title", "authors.name", "author_id.authors.name"].map(
    (sort) => `sort=${encodeURIComponent(sort)}`
  ),
  "cursor=&before=",
  `${"sort=title&".repeat(500)}q=a`,
  `author=${"1,".repeat(2000)}1`
]
