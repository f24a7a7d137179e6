// The message that the next page shows once, with its tone.
import type { Notice } from "../../src/http/Layout.ts"

/** A success message. */
export const success = (text: string): Notice => ({ tone: "success", text })

/** An error message. */
export const error = (text: string): Notice => ({ tone: "error", text })

/**
 * A message that is neither.
 *
 * @example
 * ```ts
 * import { Flash, Respond } from "effect-framework/routes/session"
 *
 * export const subscribed = (isNew: boolean) =>
 *   Respond.redirectWithFlash(
 *     "/news",
 *     isNew ? Flash.success("You get our news from now on.") : Flash.info("You get our news already.")
 *   )
 * ```
 */
export const info = (text: string): Notice => ({ tone: "info", text })
