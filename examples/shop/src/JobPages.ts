// For admins: the queues of jobs, the jobs in a state, and one job with what can be done about it.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Schema } from "effect"
import { Html, type Languages } from "effect-framework/http"
import { Jobs } from "effect-framework/jobs"
import { Catcher } from "effect-framework/routes/errors"
import { Texts } from "effect-framework/routes/http"
import { CsrfCheck, Flash, Respond } from "effect-framework/routes/session"
import { requireAdmin } from "./Customers.ts"
import { ShopTexts } from "./Texts.ts"

const { html } = Html

const isState = Schema.is(Schema.Literal(...Jobs.states))

/** The state of `/admin/jobs?state=ready`; what has failed is what an operator comes for. */
const wanted = Effect.map(HttpServerRequest.HttpServerRequest, ({ originalUrl }) => {
  const state = new URL(originalUrl, "http://localhost").searchParams.get("state")
  return isState(state) ? state : "failed"
})

const moment = (millis: number, { locale }: Languages.Language) =>
  html`<time datetime="${new Date(millis).toISOString()}"
    >${new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }).format(millis)}</time
  >`

/** A form of one button; every one of them is behind the CSRF check. */
const button = (action: string, text: string) =>
  Effect.map(
    CsrfCheck.token,
    (token) =>
      html`<form method="post" action="${action}">
        <input type="hidden" name="_token" value="${token}" />
        <button class="quiet" type="submit">${text}</button>
      </form>`
  )

const jobPath = (id: string) => `/admin/jobs/${encodeURIComponent(id)}`
const queuePath = (name: string) => `/admin/queues/${encodeURIComponent(name)}`

const list = Effect.gen(function* () {
  const language = yield* Texts.language
  const { jobs: texts } = language.texts(ShopTexts)
  const jobs = yield* Jobs.Jobs
  const state = yield* wanted
  const [counts, paused, rows] = [yield* jobs.counts, yield* jobs.paused, yield* jobs.list({ state, limit: 50 })]
  const queues = [...new Set([...counts.map(({ queue }) => queue), ...paused])]
  const cards = yield* Effect.forEach(queues, (queue) =>
    Effect.gen(function* () {
      const isPaused = paused.includes(queue)
      const toggle = yield* isPaused
        ? button(`${queuePath(queue)}/resume`, texts.resume)
        : button(`${queuePath(queue)}/pause`, texts.pause)
      return html`<li class="row spread">
        <span><strong>${queue}</strong> ${isPaused && html`<span class="badge error">${texts.paused}</span>`}</span>
        <span class="faint"
          >${counts
            .filter((one) => one.queue === queue)
            .map((one) => `${texts.states[one.state]}: ${one.jobs}`)
            .join(", ")}</span
        >
        ${toggle}
      </li>`
    })
  )
  const main = html`<h1>${texts.title}</h1>
    ${
      cards.length > 0 &&
      html`<div class="card">
      <ul class="list">
        ${cards}
      </ul>
    </div>`
    }
    <nav class="row" aria-label="${texts.state}">
      ${Jobs.states.map(
        (one) =>
          html`<a href="/admin/jobs?state=${one}" ${one === state && html`aria-current="page"`}>${texts.states[one]}</a>`
      )}
    </nav>
    <h2>${texts.states[state]}</h2>
    ${
      rows.length === 0
        ? html`<p class="notice plain">${texts.none}</p>`
        : html`<div class="card"><ul class="list">
        ${rows.map(
          ({ attempts, createdAt, id, name, reason }) =>
            html`<li>
              <a href="${jobPath(id)}">${name}</a> ${moment(createdAt, language)}
              <span class="faint">${texts.attempts(attempts)} ${reason}</span>
            </li>`
        )}
      </ul></div>`
    }`
  return { title: texts.title, width: "wide" as const, main }
})

class NoJob extends Schema.TaggedError<NoJob>()("NoJob", {}) {}

/** The job of `/admin/jobs/:id`. */
const current = Effect.gen(function* () {
  const { id } = yield* HttpLayerRouter.schemaPathParams(Schema.Struct({ id: Schema.String }))
  const { find } = yield* Jobs.Jobs
  return yield* yield* find(id)
}).pipe(Effect.mapError(() => new NoJob()))

const canRetry: ReadonlySet<Jobs.State> = new Set(["failed", "discarded", "cancelled"])
const canCancel: ReadonlySet<Jobs.State> = new Set(["waiting", "ready"])

const view = (job: Jobs.JobInfo) =>
  Effect.gen(function* () {
    const language = yield* Texts.language
    const { jobs: texts } = language.texts(ShopTexts)
    const { attempts, createdAt, due, endedAt, id, name, queue, reason, state, traceId } = job
    const facts = [
      [texts.queue, queue],
      [texts.state, texts.states[state]],
      [texts.tried, texts.attempts(attempts)],
      [texts.created, moment(createdAt, language)],
      endedAt === undefined ? [texts.due, moment(due, language)] : [texts.ended, moment(endedAt, language)],
      [texts.reason, reason],
      [texts.trace, traceId],
      // It may hold what only the handler should know: addresses, links that sign in.
      [texts.payload, "••••••••"]
    ] as const
    const main = html`<h1>${name}</h1>
      <div class="card">
        <ul class="list">
          ${facts.map(
            ([label, value]) => value !== undefined && html`<li class="row spread"><span>${label}</span> ${value}</li>`
          )}
        </ul>
        <div class="row">
          ${canRetry.has(state) && (yield* button(`${jobPath(id)}/retry`, texts.retry))}
          ${canCancel.has(state) && (yield* button(`${jobPath(id)}/cancel`, texts.cancel))}
        </div>
      </div>
      <p><a href="/admin/jobs?state=${state}">${texts.all}</a></p>`
    return { title: name, main }
  })

const notFound = Effect.flatMap(Texts.of(ShopTexts), ({ jobs }) => Catcher.status(404, { message: jobs.noJob }))

const show = Effect.flatMap(current, (job) => Respond.render(view(job), job)).pipe(
  Effect.catchTag("NoJob", () => notFound)
)

type Done = (texts: typeof ShopTexts.Service.jobs) => string

/** Does it to the job of the path; `false` when a worker, or another admin, was faster. */
const toJob = (act: (jobs: typeof Jobs.Jobs.Service, id: string) => Effect.Effect<boolean>, done: Done) =>
  Effect.gen(function* () {
    const { id } = yield* current
    const { jobs: texts } = yield* Texts.of(ShopTexts)
    const isDone = yield* act(yield* Jobs.Jobs, id)
    const notice = isDone ? Flash.success(done(texts)) : Flash.error(texts.tooLate)
    return yield* Respond.redirectWithFlash(jobPath(id), notice, { status: isDone ? 200 : 409, value: { id } })
  }).pipe(Effect.catchTag("NoJob", () => notFound))

const Queue = Schema.Struct({ name: Schema.String.pipe(Schema.pattern(/^\P{C}{1,100}$/u)) })

const toQueue = (act: (jobs: typeof Jobs.Jobs.Service, name: string) => Effect.Effect<void>, done: Done) =>
  Effect.gen(function* () {
    const { name } = yield* HttpLayerRouter.schemaPathParams(Queue)
    yield* act(yield* Jobs.Jobs, name)
    const { jobs: texts } = yield* Texts.of(ShopTexts)
    return yield* Respond.redirectWithFlash("/admin/jobs", Flash.success(done(texts)), { status: 200, value: { name } })
  }).pipe(Effect.catchTag("ParseError", () => notFound))

export const routes = [
  HttpLayerRouter.route("GET", "/admin/jobs", requireAdmin(Respond.render(list))),
  HttpLayerRouter.route("GET", "/admin/jobs/:id", requireAdmin(show)),
  HttpLayerRouter.route(
    "POST",
    "/admin/jobs/:id/retry",
    requireAdmin(
      toJob(
        ({ retry }, id) => retry(id),
        ({ retried }) => retried
      )
    )
  ),
  HttpLayerRouter.route(
    "POST",
    "/admin/jobs/:id/cancel",
    requireAdmin(
      toJob(
        ({ cancel }, id) => cancel(id),
        ({ cancelled }) => cancelled
      )
    )
  ),
  HttpLayerRouter.route(
    "POST",
    "/admin/queues/:name/pause",
    requireAdmin(
      toQueue(
        ({ pause }, name) => pause(name),
        ({ pausedNow }) => pausedNow
      )
    )
  ),
  HttpLayerRouter.route(
    "POST",
    "/admin/queues/:name/resume",
    requireAdmin(
      toQueue(
        ({ resume }, name) => resume(name),
        ({ resumed }) => resumed
      )
    )
  )
]
