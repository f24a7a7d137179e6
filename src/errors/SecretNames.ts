// Which names have secret values, and what is shown in place of the value.

/** Has a fixed length, so that it does not reveal the length of the secret. */
export const mask = "********"

const words = /auth|token|secret|key|session|password|credential|cookie/

/** Whether a value of this name is secret. Separators are ignored: `pass_word` is `password`. */
export const isSecret = (name: string): boolean => words.test(name.toLowerCase().replace(/[^a-z0-9]/g, ""))
