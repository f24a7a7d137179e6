// The message that the next page shows once, with its tone.
import type { Notice } from "../../src/http/Layout.ts"

/** A success message. */
export const success = (text: string): Notice => ({ tone: "success", text })

/** An error message. */
export const error = (text: string): Notice => ({ tone: "error", text })

/** A message that is neither. */
export const info = (text: string): Notice => ({ tone: "info", text })
