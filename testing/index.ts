// A test kit: a program on a port with captured e-mails and exceptions, and clients, jobs and providers for tests.
export * as BackgroundWork from "./BackgroundWork.ts"
export * as CapturedExceptions from "./CapturedExceptions.ts"
export * as CapturedMail from "./CapturedMail.ts"
export * as TemporaryDatabase from "./TemporaryDatabase.ts"
export * as TestApp from "./TestApp.ts"
export * as TestClient from "./TestClient.ts"
export * as TestJobs from "./TestJobs.ts"
export * as TestProvider from "./TestProvider.ts"
