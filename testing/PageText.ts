// The text of an HTML page without its markup.

const entities: Readonly<Record<string, string>> = { "&#39;": "'", "&quot;": '"', "&lt;": "<", "&gt;": ">" }

/** The text of the body as a person reads it. */
export const textOf = (page: string): string =>
  page
    .replace(/^[^]*<body[^>]*>/, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(?:#39|quot|lt|gt);/g, (entity) => entities[entity] ?? entity)
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim()
