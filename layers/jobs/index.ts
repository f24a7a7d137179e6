// The queues of jobs in the database, the worker that runs them, and a health check for jobs that wait too long.
export * as JobWorker from "./JobWorker.ts"
export * as JobsCheck from "./JobsCheck.ts"
export * as SqlJobs from "./SqlJobs.ts"
