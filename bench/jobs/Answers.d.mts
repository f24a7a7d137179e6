export const answer: (answers: Readonly<Record<string, (about: number) => Promise<unknown>>>) => void
export const rate: (
  jobs: number,
  start: (done: () => void) => Promise<() => Promise<unknown>>,
  isSettled: () => Promise<boolean>
) => Promise<number>
