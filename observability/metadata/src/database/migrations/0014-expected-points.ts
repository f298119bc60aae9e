// SPDX-License-Identifier: Apache-2.0
/** Points of which a person said that such a value is to be expected. */
import type { Migration } from '../migration.ts';

export const expectedPoints: Migration = ['alter table metric_points add column is_expected integer not null default 0'];
