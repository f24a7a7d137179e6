// The version of this package, for what it sends to other programs.

/** As in `package.json`; a test compares them. */
export const VERSION = "0.1.0"
