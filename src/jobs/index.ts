// Public exports: schemas, errors, tags and pure rules of jobs.
export * as CronJob from "./CronJob.ts"
export * as Job from "./Job.ts"
export * as Jobs from "./Jobs.ts"
