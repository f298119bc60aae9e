// SPDX-License-Identifier: Apache-2.0
/** Limits that all processes share: until when each key's time is spent. */
import type { Migration } from '../migration.ts';

export const spentTimes: Migration = [
  // key is a hash, so that no address and no account is kept.
  `create table spent_times (
    key text not null primary key,
    spent_ms bigint not null
  )`,
  'create index spent_times_by_time on spent_times (spent_ms)',
];
