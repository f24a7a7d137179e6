// What a program's own tests stand on: `import { TestApp } from "effect-framework/testing"`.
export * as CapturedExceptions from "./CapturedExceptions.ts"
export * as CapturedMail from "./CapturedMail.ts"
export * as InsecurePassword from "./InsecurePassword.ts"
export * as SingleProcessFleet from "./SingleProcessFleet.ts"
export * as BackgroundWork from "./BackgroundWork.ts"
export * as TemporaryDatabase from "./TemporaryDatabase.ts"
export * as TestApp from "./TestApp.ts"
export * as TestClient from "./TestClient.ts"
