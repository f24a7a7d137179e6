// How many series a metric may have, so that labels from outside cannot fill the memory.
import * as Labels from "../../Labels.ts"

/** Series that one name may have; further ones are summed in the overflow series. */
export const maxSeries = 2_000

/** Characters of a label value; a series with a longer one is counted in the overflow series. */
export const maxLabelLength = 1024

/** The labels of the overflow series. */
export const overflow = Labels.of({ overflow: "true" })
