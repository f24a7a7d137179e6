// What a program's own tests stand on: `import { TestApp } from "effect-framework/testing"`.
export * as CapturedExceptions from "./CapturedExceptions.ts"
export * as CapturedMail from "./CapturedMail.ts"
export * as PlainPassword from "./PlainPassword.ts"
export * as SoleWorker from "./SoleWorker.ts"
export * as Settled from "./Settled.ts"
export * as TemporaryDatabase from "./TemporaryDatabase.ts"
export * as TestApp from "./TestApp.ts"
export * as TestClient from "./TestClient.ts"
