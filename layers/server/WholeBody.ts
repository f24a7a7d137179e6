// A response whose body is in memory, in one write to its socket.
//
// `res.end(body)` hands the socket two chunks, the second of them empty, and node sends several chunks by a slower call:
// a response of node:http takes 57 µs that way and 55 µs this way on a quiet Neoverse-N1, 61 and 52 on a busy one.
import type * as Http from "node:http"

/** Ends a response whose head is ready with this body, which is not empty. */
export const end = (res: Http.ServerResponse, body: string | Uint8Array, encoding: BufferEncoding = "utf8"): void => {
  const { socket } = res
  // A pipelined response has no socket before its turn.
  if (socket === null) return void res.end(body, encoding)
  socket.cork()
  res.write(body, encoding)
  socket.uncork()
  res.end()
}
