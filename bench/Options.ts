// How much time a measurement may take.

/**
 * Alternating rounds of each subject, enough for a median that repeats. A round of load lasts a second for each server.
 * `npm run bench` takes about an hour and a half with these.
 */
const rounds = {
  server: 25,
  api: 15,
  session: 15,
  login: 5,
  start: 5,
  project: 5,
  latency: 3,
  mixed: 15,
  account: 15,
  articles: 15,
  workers: 9,
  failing: 7,
  telemetry: 40,
  jobs: 7
} as const

export interface Options {
  /** Fewer and shorter rounds: a first impression, not a figure to quote. */
  readonly quick: boolean
  /** How many rounds a subject takes. */
  readonly rounds: (subject: keyof typeof rounds) => number
}

export const full: Options = { quick: false, rounds: (subject) => rounds[subject] }

export const quick: Options = { quick: true, rounds: () => 1 }

/** What most measurements ask with. */
export const effort = { connections: 32, seconds: 1 } as const
