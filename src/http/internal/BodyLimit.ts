// The default limit for the body of a request.

/** 1 MiB: enough for any form, too little to fill the memory. */
export const defaultLimit = 1024 * 1024
