// The sentences about invalid fields, found by the English one that a schema says.
import { english, type Texts } from "../FormTexts.ts"

/** The shortest password that may be chosen, in Unicode code points. */
export const minCharacters = 8

/** The longest password that is hashed, in bytes of UTF-8: no request may cause unbounded work. */
export const maxBytes = 1024

type Sentences = Readonly<Record<keyof Texts, string>>

const sentences = ({ passwordMore, passwordTooLong, passwordTooShort, ...rest }: Texts): Sentences => ({
  ...rest,
  passwordMore: passwordMore("{}"),
  passwordTooLong: passwordTooLong(maxBytes),
  passwordTooShort: passwordTooShort(minCharacters)
})

const keys: ReadonlyMap<string, string> = new Map(Object.entries(sentences(english)).map(([key, text]) => [text, key]))

/** The message in these texts. A message that is not one of the framework's own stays as it is. */
export const translate = (message: string, texts: Texts): string => {
  const key = keys.get(message)
  const given: Readonly<Record<string, string>> = sentences(texts)
  return key === undefined ? message : (given[key] ?? message)
}
