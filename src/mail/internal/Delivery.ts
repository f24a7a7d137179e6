// What delivers the messages in the end: the transport itself, or the one behind the queue.
import type { Delivery, Transport } from "../MailConfig.ts"

export const of = (transport: Transport): Delivery => (transport._tag === "Queue" ? transport.delivery : transport)
