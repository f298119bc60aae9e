// SPDX-License-Identifier: Apache-2.0
/** Which record of its file a sampled row is. */
import type { Migration } from '../migration.ts';

export const recordNumbers: Migration = ['alter table row_samples add column record_number bigint'];
