// A query parameter that only some lists have.
import type { ListRequest } from "../../Links.ts"
import { decode } from "../query/QueryText.ts"

/**
 * The value of a parameter that only some lists have, and the request without it. Lists that do not have it keep it in
 * their links like every other parameter.
 */
export const take = (request: ListRequest, name: string): readonly [string | undefined, ListRequest] => {
  const others: Array<string> = []
  let value: string | undefined
  for (const part of request.otherParams.split("&")) {
    const equals = part.indexOf("=")
    if (part === "" || decode(equals < 0 ? part : part.slice(0, equals)) !== name) others.push(part)
    else value ??= equals < 0 ? "" : decode(part.slice(equals + 1))
  }
  return value === undefined ? [value, request] : [value, { ...request, otherParams: others.join("&") }]
}
