// SPDX-License-Identifier: Apache-2.0
/** All tables, for Kysely and for the migrations that create them. A migration that changes a column adds to `Schema` what it changes. */
import { CONFIGURATIONS } from './schema/configurations.ts';
import { DELIVERY } from './schema/delivery.ts';
import { INCIDENT_CARE } from './schema/incident-care.ts';
import { JOBS } from './schema/jobs.ts';
import type { COLUMN_LINEAGE, ColumnOrigin } from './schema/lineage.ts';
import { MONITORING } from './schema/monitoring.ts';
import { SCORES } from './schema/scores.ts';
import type { SPENT_TIMES } from './schema/spent-times.ts';
import type { RowsOf } from './schema/table.ts';
import { TENANCY_AND_SOURCES } from './schema/tenancy-and-sources.ts';
import { WRONG_CELLS } from './schema/wrong-cells.ts';

/** What release 0.1.0 created. */
export const FIRST_RELEASE = {
  ...TENANCY_AND_SOURCES,
  ...JOBS,
  ...MONITORING,
  ...CONFIGURATIONS,
  ...INCIDENT_CARE,
  ...DELIVERY,
  ...SCORES,
  ...WRONG_CELLS,
};

export type Schema = RowsOf<typeof FIRST_RELEASE> &
  RowsOf<typeof SPENT_TIMES> &
  RowsOf<typeof COLUMN_LINEAGE> & { column_lineage: { origin: ColumnOrigin }; schema_version: { version: number } };
