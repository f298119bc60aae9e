// SPDX-License-Identifier: Apache-2.0
/** What every member and parameter means, in the words of who calls the API: by its name, or by schema and name where a name has several meanings. */
import { COLLECTION_MEMBERS } from './collections.ts';
import { MAINTENANCE_MEMBERS } from './maintenance.ts';
import { PARAMETERS } from './parameters.ts';
import { POINT_MEMBERS } from './points.ts';
import { QUERY_MEMBERS } from './queries.ts';
import { SERVICE_MEMBERS } from './service.ts';

export const DESCRIPTIONS = {
  members: [COLLECTION_MEMBERS, MAINTENANCE_MEMBERS, POINT_MEMBERS, QUERY_MEMBERS, SERVICE_MEMBERS],
  parameters: PARAMETERS,
} as const;
