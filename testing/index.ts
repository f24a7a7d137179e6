// Public exports: what the tests of a program use.
export * as BackgroundWork from "./BackgroundWork.ts"
export * as CapturedExceptions from "./CapturedExceptions.ts"
export * as CapturedMail from "./CapturedMail.ts"
export * as TemporaryDatabase from "./TemporaryDatabase.ts"
export * as TestApp from "./TestApp.ts"
export * as TestClient from "./TestClient.ts"
export * as TestJobs from "./TestJobs.ts"
