// The texts of the demo's own pages, in English.
import { Context } from "effect"

export interface Texts {
  readonly layout: {
    readonly articles: string
    readonly metrics: string
    /** Before and after the name of the package. */
    readonly footer: readonly [string, string]
  }
  readonly home: {
    readonly title: string
    readonly heading: string
    readonly lead: string
    readonly accounts: string
    /** Around the address and the password. */
    readonly accountsText: readonly [string, string, string]
    readonly articles: string
    readonly articlesText: string
    readonly articlesLink: string
    readonly apiLink: string
    readonly metrics: string
    readonly metricsText: string
    readonly metricsLink: string
    readonly healthLink: string
    readonly errors: string
    readonly errorsText: string
    readonly errorsLink: string
  }
  readonly articles: {
    readonly title: string
    readonly titleBy: (author: string) => string
    readonly search: string
    readonly order: string
    readonly sorts: {
      readonly "-published_at": string
      readonly published_at: string
      readonly title: string
      readonly "-title": string
      readonly "author,title": string
      readonly "-author,-title": string
    }
    readonly show: string
    readonly by: string
    readonly uncounted: string
    readonly count: (total: number) => string
    readonly page: (page: number, pages: number) => string
    readonly pages: string
    readonly previous: string
    readonly next: string
    readonly withoutPages: string
    readonly more: string
    readonly last: string
    readonly loadMore: string
    readonly start: string
    readonly turnPages: string
    readonly allAuthors: string
    readonly none: string
    readonly all: string
  }
  readonly dashboard: {
    readonly title: string
    readonly heading: string
    readonly stale: string
    readonly first: string
    readonly fleet: (workers: number, seconds: number) => string
    readonly now: string
    readonly summary: (title: string, values: string) => string
    readonly charts: {
      readonly requests: string
      readonly received: string
      readonly latency: string
      readonly errors: string
      readonly serverErrors: string
      readonly logins: string
      readonly accepted: string
      readonly refused: string
      readonly inFlight: string
      readonly waiting: string
      readonly traffic: string
      readonly sent: string
      readonly memory: string
      readonly allWorkers: string
      readonly processor: string
      readonly oneCore: string
      readonly delay: string
      readonly slowest: string
    }
  }
}

export const english: Texts = {
  layout: {
    articles: "Articles",
    metrics: "Metrics",
    footer: ["A demo of ", ": authentication, observability, error handling and pagination as Effect layers."]
  },
  home: {
    title: "Welcome",
    heading: "A web framework for Effect, running",
    lead:
      "Authentication, observability, error handling and pagination as Effect layers. Everything on this site is the " +
      "framework at work: look around, break it, read its metrics.",
    accounts: "Accounts",
    accountsText: [
      "Sign up with any address, or sign in as ",
      " with the password ",
      ". E-mails are files in the storage folder unless a mail server is set."
    ],
    articles: "Articles",
    articlesText: "A thousand of them, by page or by cursor, as a page, as JSON, as XML or through a typed API.",
    articlesLink: "Read the articles",
    apiLink: "Try the API",
    metrics: "Metrics",
    metricsText: "What all workers together have done, for Prometheus or as JSON.",
    metricsLink: "See the metrics",
    healthLink: "Ask for its health",
    errors: "Errors",
    errorsText: "A route that fails on purpose shows what a visitor sees, and what a developer sees.",
    errorsLink: "See it fail"
  },
  articles: {
    title: "Articles",
    titleBy: (author) => `Articles by ${author}`,
    search: "Words in the title",
    order: "Order",
    sorts: {
      "-published_at": "Newest first",
      published_at: "Oldest first",
      title: "Title, A to Z",
      "-title": "Title, Z to A",
      "author,title": "Author, A to Z",
      "-author,-title": "Author, Z to A"
    },
    show: "Show",
    by: "By",
    uncounted: "Read on as far as you like; the list is not counted.",
    count: (total) => (total === 1 ? "1 article" : `${total} articles`),
    page: (page, pages) => `page ${page} of ${pages}`,
    pages: "Pages",
    previous: "← Previous",
    next: "Next →",
    withoutPages: "Read without pages",
    more: "More articles",
    last: "That was the last one.",
    loadMore: "Load more",
    start: "Back to the start",
    turnPages: "Turn pages",
    allAuthors: "Show all authors",
    none: "Nothing here.",
    all: "Show all articles"
  },
  dashboard: {
    title: "Fleet dashboard",
    heading: "Fleet",
    stale: "The server does not respond. These are the last known figures.",
    first: "The first figures appear in a few seconds.",
    fleet: (workers, seconds) =>
      `${workers === 1 ? "1 worker" : `${workers} workers`}, a point every ${seconds} seconds.`,
    now: "now",
    summary: (title, values) => `${title} over time; now ${values}`,
    charts: {
      requests: "Requests",
      received: "received",
      latency: "Latency",
      errors: "Errors",
      serverErrors: "responses 5xx",
      logins: "Logins",
      accepted: "accepted",
      refused: "refused",
      inFlight: "In flight",
      waiting: "requests",
      traffic: "Traffic",
      sent: "sent",
      memory: "Memory",
      allWorkers: "all workers",
      processor: "Processor",
      oneCore: "of one core",
      delay: "Event-loop delay",
      slowest: "slowest worker"
    }
  }
}

export class DemoTexts extends Context.Reference<DemoTexts>()("effect-framework/demo/DemoTexts", {
  defaultValue: () => english
}) {}
