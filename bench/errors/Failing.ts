// An error ten calls deep, as a request might meet it.

interface Line {
  readonly article: string
  readonly amount: number
}

interface Order {
  readonly id: number
  readonly lines: ReadonlyArray<Line>
}

const shelf: Readonly<Record<string, number>> = { teapot: 2, cup: 40 }

/** Takes from the shelf; the tenth call. */
const take = (line: Line): number => {
  const left = (shelf[line.article] ?? 0) - line.amount
  // Nothing can be sold twice.
  if (left < 0) throw new RangeError(`only ${shelf[line.article] ?? 0} of ${line.article} are left`)
  return left
}

const reserve = (line: Line): string => `${take(line)} left of ${line.article}`

const reserveAll = (lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const reserved: Array<string> = []
  for (const line of lines) reserved.push(reserve(line))
  return reserved
}

const place = ({ id, lines }: Order): string => {
  const reserved = reserveAll(lines)
  return `${id}: ${reserved.join(", ")}`
}

const audit = (order: Order): string => {
  const placed = place(order)
  return `audited ${placed}`
}

const price = (order: Order): string => {
  const audited = audit(order)
  return audited.startsWith("audited") ? audited : `priced ${audited}`
}

const charge = (order: Order): string => {
  const priced = price(order)
  return `charged ${priced}`
}

const confirm = (order: Order): string => {
  const charged = charge(order)
  return `confirmed ${charged}`
}

const handle = (order: Order): string => {
  const confirmed = confirm(order)
  return `handled ${confirmed}`
}

const route = (id: number): string =>
  handle({
    id,
    lines: [
      { article: "cup", amount: 1 },
      { article: "teapot", amount: 3 }
    ]
  })

/** The error, thrown and caught. */
export const failTenDeep = (): unknown => {
  try {
    return route(7)
  } catch (thrown) {
    return thrown
  }
}
