// Reads lists from a SQL database, signs cursors, and checks entities and indexes against the tables.
export * as EntityCheck from "./EntityCheck.ts"
export * as IndexCheck from "./IndexCheck.ts"
export * as SignedCursors from "./SignedCursors.ts"
export * as SqlRepository from "./SqlRepository.ts"
