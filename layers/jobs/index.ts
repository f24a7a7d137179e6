// Public exports: live layers of jobs.
export * as JobWorker from "./JobWorker.ts"
export * as SqlJobs from "./SqlJobs.ts"
