// The default bounds of work after the response.

/** 16 tasks at a time, 1,000 in the queue, five seconds at shutdown. */
export const afterResponseDefaults = { concurrency: 16, queue: 1000, deadline: "5 seconds" } as const
