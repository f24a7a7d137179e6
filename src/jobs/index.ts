// Declares durable and periodic jobs, enqueues them and inspects their queues.
export * as CronJob from "./CronJob.ts"
export * as Job from "./Job.ts"
export * as Jobs from "./Jobs.ts"
