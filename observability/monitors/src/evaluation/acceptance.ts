/** When a change that stays is no longer one. */

/** A change is told at so many scans in a row. Who has not mended it by then has accepted it: it is how things are. */
export const TOLD_SCANS = 3;
