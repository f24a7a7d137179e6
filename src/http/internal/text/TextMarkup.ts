// Markup that depends on the texts of a language alone.
import type { Html } from "../../Html.ts"

/** The markup, rendered once for each catalogue and not for each page. */
export const ofTexts = <Texts extends object>(render: (texts: Texts) => Html): ((texts: Texts) => Html) => {
  const rendered = new WeakMap<Texts, Html>()
  return (texts) => {
    const known = rendered.get(texts)
    if (known !== undefined) return known
    const made = render(texts)
    rendered.set(texts, made)
    return made
  }
}
