// SPDX-License-Identifier: Apache-2.0
/** When a change that stays is no longer one. */

/** A change is reported at so many scans in a row. If nobody has repaired it by then, it is accepted as the usual state. */
export const REPORTED_SCANS = 3;
