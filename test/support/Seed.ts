/** The seed of every property in `npm test`. */
export const seed = 20_240_229
