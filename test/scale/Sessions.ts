// Sessions and remembered devices are those of the site, not of a machine.
import { Effect } from "effect"
import assert from "node:assert/strict"
import * as TestClient from "../../testing/TestClient.ts"
import * as People from "./People.ts"
import type { Site } from "./Site.ts"

const signedInOn = (browser: TestClient.TestClient, urls: ReadonlyArray<string>) =>
  Effect.forEach(urls, (url) => People.isSignedIn(browser, url))

const everywhere = <A>(urls: ReadonlyArray<string>, value: A): ReadonlyArray<A> => urls.map(() => value)

/** A sign-in on one machine holds on all of them, and so does its end. */
export const sessions = ({ machines, url }: Site) =>
  Effect.gen(function* () {
    const urls = machines.map((machine) => machine.url)
    const [first = url, second = url] = urls
    const { browser, email } = yield* People.registered(first)
    assert.deepEqual(yield* signedInOn(browser, [...urls, url]), everywhere([...urls, url], true))
    const copy = TestClient.make(second, browser.address)
    for (const [name, value] of browser.jar) copy.jar.set(name, value)
    assert.equal((yield* People.through(browser, second).submit("/logout", {})).status, 303)
    assert.deepEqual(yield* signedInOn(copy, urls), everywhere(urls, false), "signed out on one machine")

    const phone = yield* People.signedIn(second, email)
    const laptop = yield* People.signedIn(first, email)
    const form = {
      current: People.password,
      password: "another-horse-battery",
      password_confirmation: "another-horse-battery"
    }
    assert.equal((yield* People.through(laptop, url).submit("/password", form)).status, 303)
    assert.deepEqual(yield* signedInOn(phone, urls), everywhere(urls, false), "the password was changed elsewhere")
    assert.deepEqual(yield* signedInOn(laptop, urls), everywhere(urls, true))
    return "a sign-in holds on every machine, and a sign-out and a new password end it on every machine"
  })

/** A remember cookie rotates on any machine, and its second use on another one is a theft. */
export const remembered = ({ machines, url }: Site) =>
  Effect.gen(function* () {
    const urls = machines.map((machine) => machine.url)
    const [first = url, second = url, third = url] = urls
    const { email } = yield* People.registered(first)
    const owner = yield* People.signedIn(first, email, { remember: "1" })
    const stolen = owner.jar.get("remember")
    assert.ok(stolen !== undefined, "no remember cookie")
    // Each machine resumes with what the one before has set.
    for (const machine of [second, third, first]) {
      owner.jar.delete("session")
      const before = owner.jar.get("remember")
      assert.equal(yield* People.isSignedIn(owner, machine), true, "the remember cookie of another machine")
      assert.notEqual(owner.jar.get("remember"), before, "the validator was rotated")
    }
    const thief = TestClient.make(third)
    thief.jar.set("remember", stolen)
    assert.equal(yield* People.isSignedIn(thief, third), false, "a replay is never signed in")
    assert.deepEqual(yield* signedInOn(owner, urls), everywhere(urls, false), "a theft ends every session")
    return "a remembered device moves between machines, and a replay on any of them ends every session"
  })
