// The base of the links in e-mails, before a deployment sets its own.

/** Works on the machine that runs the program, and nowhere else. */
export const defaultAppUrl = "http://localhost:8087"
