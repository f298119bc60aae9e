// SPDX-License-Identifier: Apache-2.0
/** Every operation, by its id. */
import type { OperationId } from '@sextant/contracts-observability';
import * as apiKeys from './api-keys.ts';
import * as assets from './assets.ts';
import * as channels from './channels.ts';
import * as configurations from './configurations.ts';
import * as connections from './connections.ts';
import * as dbt from './dbt.ts';
import * as deliveries from './deliveries.ts';
import * as incidentCare from './incident-care.ts';
import * as incidents from './incidents.ts';
import * as lineage from './lineage.ts';
import * as monitors from './monitors.ts';
import type { Operation } from './operation.ts';
import * as monitorPreview from './preview-monitor.ts';
import * as projects from './projects.ts';
import * as scans from './scans.ts';
import * as schedules from './schedules.ts';
import * as scores from './scores.ts';
import * as tenants from './tenants.ts';
import * as tickets from './tickets.ts';
import * as tokens from './tokens.ts';
import * as uploads from './uploads.ts';
import * as users from './users.ts';
import * as wrongCells from './wrong-cells.ts';

const families = [
  tenants,
  tokens,
  users,
  apiKeys,
  projects,
  connections,
  assets,
  lineage,
  dbt,
  schedules,
  uploads,
  scans,
  monitors,
  monitorPreview,
  wrongCells,
  incidents,
  incidentCare,
  channels,
  configurations,
  scores,
  deliveries,
  tickets,
];

/** A family's file also exports what other families use, which is no operation. */
const all = families.flatMap((family): readonly unknown[] => Object.values(family)).filter(isOperation);

export const operations: ReadonlyMap<OperationId, Operation['run']> = new Map(all.map(({ id, run }) => [id, run]));

function isOperation(member: unknown): member is Operation {
  return typeof member === 'object' && member !== null && 'id' in member && 'run' in member;
}
