// SPDX-License-Identifier: Apache-2.0
/** What is removed by the thousand is removed in parts: SQLite works on our thread, and on either database others write in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Calls until fewer than a whole batch were removed; answers how many in all. */
export async function deleteInBatches(size: number, deleteSome: (size: number) => Promise<number>): Promise<number> {
  let deleted = 0;
  for (let isMore = true; isMore; await nextTurn()) {
    const count = await deleteSome(size);
    deleted += count;
    isMore = count >= size;
  }
  return deleted;
}
