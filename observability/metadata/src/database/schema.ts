// SPDX-License-Identifier: Apache-2.0
/** All tables, for Kysely. */
import type { ConfigurationsSchema } from './schema/configurations.ts';
import type { DeliverySchema } from './schema/delivery.ts';
import type { IncidentCareSchema } from './schema/incident-care.ts';
import type { JobsSchema } from './schema/jobs.ts';
import type { LineageSchema } from './schema/lineage.ts';
import type { MonitoringSchema } from './schema/monitoring.ts';
import type { ScoresSchema } from './schema/scores.ts';
import type { TenancyAndSourcesSchema } from './schema/tenancy-and-sources.ts';
import type { WrongCellsSchema } from './schema/wrong-cells.ts';

export type Schema = TenancyAndSourcesSchema &
  JobsSchema &
  LineageSchema &
  MonitoringSchema &
  ConfigurationsSchema &
  IncidentCareSchema &
  DeliverySchema &
  ScoresSchema &
  WrongCellsSchema & { schema_version: { version: number } };
