// The reason phrases of the statuses that the framework and the errors of programs send.

/** The texts by status, in English. */
export const texts = {
  200: "OK",
  201: "Created",
  204: "No Content",
  303: "See Other",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  417: "Expectation Failed",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  423: "Locked",
  426: "Upgrade Required",
  428: "Precondition Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  451: "Unavailable For Legal Reasons",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported"
} as const satisfies Readonly<Record<number, string>>

/** The standard text of a status, from these texts. */
export const text = (status: number, given: Readonly<Record<number, string>> = texts): string =>
  given[status] ?? (status >= 500 ? "Server Error" : "Error")
