// SPDX-License-Identifier: Apache-2.0
/** Limits that all processes share: until when each key's time is spent. */
import { table } from './table.ts';

export const SPENT_TIMES = {
  // A key is a hash, so that no address and no account is kept.
  spent_times: table(['primary key (key)'], { key: 'text', spent_ms: 'bigint' }),
};
