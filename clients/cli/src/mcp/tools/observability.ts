// SPDX-License-Identifier: Apache-2.0
/** Tools about data quality: incidents, the health of assets, scans. */
import { strict } from '@sextant/foundation-contract';
import type { Asset, ObservabilityClient } from '@sextant/sdk';
import Type from 'typebox';
import { assetOf } from '../../connection/assets.ts';
import { fitted } from '../bounded.ts';
import { dryRun, leftOut, type Tool, tool } from '../tool.ts';

const LIMIT_MAX = 100;
const WAIT_SECONDS = 60;
const WAIT_SECONDS_MAX = 600;

const ASSETS_SHOWN = 'The tool asset_health without `asset` lists the assets that have a score.';

const asset = Type.String({ minLength: 1, maxLength: 1024, description: 'The id of an asset, or its name if it is unique' });

export const observabilityTools: readonly Tool[] = [
  tool({
    name: 'list_incidents',
    title: 'List incidents',
    description: 'What monitors found to be wrong with data, newest first.',
    kind: 'read',
    isIdempotent: true,
    input: strict({
      status: Type.Optional(Type.Enum(['OPEN', 'CLOSED'], { description: 'Open and closed incidents by default' })),
      text: Type.Optional(Type.String({ maxLength: 1024, description: 'Only incidents whose text contains this' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, description: '20 by default' })),
      offset: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    output: Type.Object({ incidents: Type.Array(Type.Object({ id: Type.Integer(), status: Type.String() })), left_out: leftOut }),
    run: async ({ status, text, limit, offset }, { services: { observability }, signal }) => {
      const listed = await observability.listIncidents(
        { limit: limit ?? 20, ...(offset !== undefined && { offset }), ...(text !== undefined && { text_to_search: text }) },
        { signal },
      );
      const { items, leftOut: more } = fitted(listed.filter((incident) => status === undefined || incident.status === status));
      return { incidents: items, left_out: more };
    },
  }),
  tool({
    name: 'get_incident',
    title: 'Read an incident',
    description: 'One incident with its measurements and its history.',
    kind: 'read',
    isIdempotent: true,
    input: strict({ incident_id: Type.Integer({ minimum: 0 }) }),
    output: Type.Object({ id: Type.Integer(), status: Type.String() }),
    run: ({ incident_id }, { services: { observability }, signal }) => observability.getIncident({ incident_id }, { signal }),
  }),
  tool({
    name: 'asset_health',
    title: 'Health of assets',
    description: 'Data quality scores and last scans: of one asset, with its open incidents, or the scores of all assets without `asset`.',
    kind: 'read',
    isIdempotent: true,
    input: strict({ asset: Type.Optional(asset) }),
    output: Type.Object({ assets: Type.Array(Type.Object({ asset_id: Type.String(), asset_name: Type.String() })), left_out: leftOut }),
    run: async ({ asset: wanted }, { services: { observability }, signal }) => {
      const scores = await observability.listDqScores({ signal });
      if (wanted === undefined) {
        const { items, leftOut: more } = fitted(scores);
        return { assets: items, left_out: more };
      }
      const found = await assetOf(observability, wanted, signal, ASSETS_SHOWN);
      const score = scores.find(({ asset_id }) => asset_id === found.id);
      return {
        assets: [{ asset_id: found.id, asset_name: found.name, ...score, ...(await stateOf(observability, found, signal)) }],
        left_out: 0,
      };
    },
  }),
  tool({
    name: 'run_scan',
    title: 'Scan an asset',
    description:
      'Measures an asset now and evaluates its monitors. Waits up to wait_seconds for the end, then returns the progress; call asset_health later for the outcome. With dry_run it reports what would be scanned.',
    kind: 'run',
    isIdempotent: false,
    input: strict({
      asset,
      wait_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: WAIT_SECONDS_MAX, description: `${WAIT_SECONDS} by default` })),
      dry_run: dryRun,
    }),
    output: Type.Object({ dry_run: Type.Boolean(), asset_id: Type.String(), asset_name: Type.String() }),
    run: async ({ asset: wanted, wait_seconds: waitSeconds = WAIT_SECONDS, dry_run }, { services: { observability }, signal, report }) => {
      const found = await assetOf(observability, wanted, signal, ASSETS_SHOWN);
      const about = { asset_id: found.id, asset_name: found.name };
      if (dry_run === true) return { dry_run: true, ...about, type: found.type, ...(await stateOf(observability, found, signal)) };
      const { job_id: jobId } = await observability.startScan({ asset_id: found.id }, { signal });
      const patience = AbortSignal.timeout(waitSeconds * 1000);
      try {
        const job = await observability.waitForJob(jobId, {
          signal: AbortSignal.any([signal, patience]),
          onProgress: ({ progress: { phase, rows_read: rows, fraction } }) => report(fraction ?? 0, `${phase}, ${rows} rows`),
        });
        const alerts = await observability.jobAlerts({ asset_id: found.id, job_id: jobId }, { signal });
        const { items, leftOut: more } = fitted(alerts);
        return { dry_run: false, ...about, job, alerts: items, left_out: more };
      } catch (error) {
        if (signal.aborted || !patience.aborted) throw error;
        return { dry_run: false, ...about, job: await observability.getJob({ job_id: jobId }, { signal }) };
      }
    },
  }),
];

/** Its last scan and its open incidents. */
async function stateOf(observability: ObservabilityClient, { id, project_id: project }: Asset, signal: AbortSignal): Promise<object> {
  const [jobs, incidents] = await Promise.all([
    observability.listJobs({ asset_id: id, most_recent: true }, { signal }),
    observability.listIncidents({ project_ids: String(project), limit: LIMIT_MAX }, { signal }),
  ]);
  const open = incidents.filter((incident) => incident.asset_id === id && incident.status === 'OPEN');
  return { last_scan: jobs[0] ?? null, open_incidents: fitted(open, 50_000).items };
}
