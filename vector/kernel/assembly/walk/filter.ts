// SPDX-License-Identifier: Apache-2.0
/** The filter of the present search. */

/** Bits of the rows that may be answered, for rows below `filterRows`; without a filter, 0. */
export let filter: usize = 0;
export let filterRows: u32 = 0;

export function setFilter(address: usize, rows: u32): void {
  filter = address;
  filterRows = rows;
}

export function passes(row: u32): bool {
  if (filter == 0) return true;
  return row < filterRows && ((load<u32>(filter + ((row >> 5) << 2)) >> (row & 31)) & 1) != 0;
}
