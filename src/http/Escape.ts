// Escapes text for HTML.

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }

/** Escapes text for an element or a quoted attribute. */
export const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)
