/** All tables, for Kysely. */
import type { ConfigurationsSchema } from './schema/configurations.ts';
import type { IncidentCareSchema } from './schema/incident-care.ts';
import type { JobsSchema } from './schema/jobs.ts';
import type { MonitoringSchema } from './schema/monitoring.ts';
import type { TenancyAndSourcesSchema } from './schema/tenancy-and-sources.ts';

export type Schema = TenancyAndSourcesSchema &
  JobsSchema &
  MonitoringSchema &
  ConfigurationsSchema &
  IncidentCareSchema &
