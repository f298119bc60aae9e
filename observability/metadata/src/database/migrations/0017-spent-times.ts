// SPDX-License-Identifier: Apache-2.0
import type { Migration } from '../migration.ts';
import { SPENT_TIMES } from '../schema/spent-times.ts';
import { createTables } from '../schema/table.ts';

export const spentTimes: Migration = [...createTables(SPENT_TIMES), 'create index spent_times_by_time on spent_times (spent_ms)'];
