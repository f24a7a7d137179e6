// The texts of the framework in other languages than English: German.
export * as German from "./German.ts"
