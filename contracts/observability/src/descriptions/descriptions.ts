// SPDX-License-Identifier: Apache-2.0
/** What every member and parameter means, in the words of who calls the API: by its name, or by schema and name where a name has several meanings. */
import { INCIDENT_MEMBERS } from './incidents.ts';
import { MONITOR_MEMBERS } from './monitors.ts';
import { PARAMETERS } from './parameters.ts';
import { SOURCE_MEMBERS } from './sources.ts';

export const DESCRIPTIONS = {
  members: [SOURCE_MEMBERS, MONITOR_MEMBERS, INCIDENT_MEMBERS],
  parameters: PARAMETERS,
} as const;
