// Public exports: live layers of pagination.
export * as EntityCheck from "./EntityCheck.ts"
export * as IndexCheck from "./IndexCheck.ts"
export * as SignedCursors from "./SignedCursors.ts"
export * as SqlRepository from "./SqlRepository.ts"
