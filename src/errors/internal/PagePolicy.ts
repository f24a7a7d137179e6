// The Content-Security-Policy of a page of the project.

/** Allows files of this site and the inline styles and scripts with these hashes, such as `'sha256-…'`. */
export const make = (styles: ReadonlyArray<string> = [], scripts: ReadonlyArray<string> = []): string =>
  `default-src 'none'; style-src ${["'self'", ...styles].join(" ")}; script-src ${["'self'", ...scripts].join(" ")}; ` +
  "img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
