// SPDX-License-Identifier: Apache-2.0
/** The phases that the indexer's thread announces to the linkers; before the first of them, they wait. */
export const LINKING = 1;
export const DONE = 2;
