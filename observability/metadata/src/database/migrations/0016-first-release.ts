// SPDX-License-Identifier: Apache-2.0
/** Everything that release 0.1.0 keeps: it is the first release, and its version is 16. */
import type { Migration } from '../migration.ts';
import { DELIVERY_INDEXES } from '../schema/delivery.ts';
import { INCIDENT_CARE_INDEXES } from '../schema/incident-care.ts';
import { JOBS_INDEXES } from '../schema/jobs.ts';
import { MONITORING_INDEXES } from '../schema/monitoring.ts';
import { SCORES_INDEXES } from '../schema/scores.ts';
import { createTables } from '../schema/table.ts';
import { TENANCY_AND_SOURCES_INDEXES } from '../schema/tenancy-and-sources.ts';
import { FIRST_RELEASE } from '../schema.ts';

export const firstRelease: Migration = [
  ...createTables(FIRST_RELEASE),
  ...TENANCY_AND_SOURCES_INDEXES,
  ...JOBS_INDEXES,
  ...MONITORING_INDEXES,
  ...INCIDENT_CARE_INDEXES,
  ...DELIVERY_INDEXES,
  ...SCORES_INDEXES,
];
