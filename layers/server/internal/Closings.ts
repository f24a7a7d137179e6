// What a request leaves behind when its client goes away, cleaned up a few at a time. The fibers of an open stream take about
// a millisecond to interrupt, and a proxy that restarts closes hundreds of them in one turn of the event loop: all at once
// they would hold every other request up for a second.

/** How many are cleaned up within a turn before the others have to wait for the next ones. */
const mostAtOnce = 8

/** Runs `each` at once for the first few of a turn, and for the others one by one, between other work of the event loop. */
export const make = <A>(each: (item: A) => void): ((item: A) => void) => {
  let waiting: Array<A> = []
  let next = 0
  let left = mostAtOnce
  let isAwaited = false

  const turn = (): void => {
    const item = waiting[next++]
    if (item === undefined) {
      waiting = []
      next = 0
      left = mostAtOnce
      isAwaited = false
      return
    }
    setImmediate(turn)
    each(item)
  }

  return (item) => {
    if (!isAwaited) {
      isAwaited = true
      setImmediate(turn)
    }
    if (left > 0) {
      left--
      each(item)
    } else waiting.push(item)
  }
}
