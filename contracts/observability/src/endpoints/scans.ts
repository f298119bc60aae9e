// SPDX-License-Identifier: Apache-2.0
/** Scans, what they found, and the monitors that watch it. */
import Type from 'typebox';
import {
  checkSchema,
  jobSchema,
  listedJobSchema,
  metricHistoryItemSchema,
  rowSampleSchema,
  scanStartedSchema,
  schemaChangeSchema,
} from '../job-schemas.ts';
import { createMonitorSchema, monitorPreviewSchema, monitorSchema, previewMonitorSchema, updateMonitorSchema } from '../monitor-schemas.ts';
import { checkQuerySchema, jobListQuerySchema, metricQuerySchema, monitorQuerySchema, sampleQuerySchema } from '../query-schemas.ts';
import { type Endpoint, needs, read, removal } from './endpoint.ts';
import { backend, configuration, data, search } from './paths.ts';

const JOB = '/{tenant}/jobs/{job_id}';
const MONITORS = '/{tenant}/configuration/assets/{asset_id}/monitors';
const MONITOR = `${MONITORS}/{monitor_id}` as const;
const scans = { tag: 'Scans' } as const;
const monitors = { tag: 'Monitors', ...configuration(MONITORS), needs: needs.assetEditor } as const;
const monitor = { ...monitors, ...configuration(MONITOR) } as const;

export const scanEndpoints = {
  start_scan: {
    ...scans,
    ...data('/{tenant}/assets/{asset_id}/batch_data', '/{tenant}/sources/{asset_id}/batch_data'),
    method: 'POST',
    summary: 'Start a scan of an asset; returns the job',
    needs: needs.assetOperator,
    bodyOptional: true,
    body: Type.Object({}, { title: 'StartScan', description: 'Accepted; has no effect, because the asset holds its location.' }),
    result: scanStartedSchema,
    errors: ['conflict', 'not_supported_yet', 'overloaded'],
  },
  get_job: {
    ...scans,
    ...backend(JOB),
    ...read,
    summary: 'Read one job',
    result: jobSchema,
  },
  list_jobs: {
    ...scans,
    ...backend('/{tenant}/sources/{asset_id}/jobs', '/{tenant}/assets/{asset_id}/jobs'),
    ...read,
    summary: 'List the jobs of an asset, newest first; with most_recent=true only the last',
    query: jobListQuerySchema,
    result: Type.Array(listedJobSchema),
  },
  list_tenant_jobs: {
    ...scans,
    ...backend('/{tenant}/jobs'),
    ...read,
    summary: 'List the jobs of all assets, newest first; with most_recent=true only the last of each',
    query: jobListQuerySchema,
    result: Type.Array(listedJobSchema),
  },
  cancel_job: {
    ...scans,
    ...backend(`${JOB}/cancel`),
    method: 'POST',
    summary: 'Stop a job',
    needs: needs.jobOperator,
    result: jobSchema,
    errors: ['conflict'],
  },
  list_samples: {
    ...scans,
    ...backend(`${JOB}/samples`),
    ...read,
    summary:
      'List sample rows that failed a rule or could not be read, values of the wrong type, and faulty points of a collection; personal data are masked',
    query: sampleQuerySchema,
    result: Type.Array(rowSampleSchema),
  },
  list_schema_changes: {
    ...scans,
    ...backend(`${JOB}/schema_changes`),
    ...read,
    summary: 'List columns that were added, removed or changed their type since the previous scan',
    result: Type.Array(schemaChangeSchema),
  },
  list_job_checks: {
    ...scans,
    ...backend(`${JOB}/checks`),
    ...read,
    summary: 'List the state of each monitor in a scan: ok, violated, errored or not evaluated, with the reason',
    result: Type.Array(checkSchema),
  },
  list_checks: {
    ...scans,
    ...backend('/{tenant}/checks'),
    ...read,
    summary: 'List the state of each monitor in the last finished scan of its asset, for all assets or one',
    query: checkQuerySchema,
    result: Type.Array(checkSchema),
    errors: ['not_found'],
  },
  list_metrics: {
    ...scans,
    ...search('/{tenant}/metrics'),
    ...read,
    summary: 'Read the metric history of an asset, oldest first',
    query: metricQuerySchema,
    result: Type.Array(metricHistoryItemSchema),
    errors: ['not_found'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };

export const monitorEndpoints = {
  list_tenant_monitors: {
    ...monitors,
    ...configuration('/{tenant}/configuration/monitors'),
    ...read,
    summary: 'List the monitors of all assets, user-defined monitors first; optionally only those that use a channel or a ticket template',
    query: monitorQuerySchema,
    result: Type.Array(monitorSchema),
  },
  list_monitors: {
    ...monitors,
    ...read,
    summary: 'List the monitors of an asset, including pre-built monitors',
    result: Type.Array(monitorSchema),
  },
  create_monitor: {
    ...monitors,
    method: 'POST',
    summary: 'Create a monitor',
    body: createMonitorSchema,
    result: monitorSchema,
    errors: ['conflict', 'rule_invalid'],
  },
  preview_monitor: {
    ...monitors,
    ...configuration(`${MONITORS}/preview`),
    method: 'POST',
    summary: 'Validate a monitor without saving it, and preview it on past measurements',
    needs: needs.assetEditor,
    body: previewMonitorSchema,
    result: monitorPreviewSchema,
    errors: ['rule_invalid'],
  },
  get_monitor: {
    ...monitor,
    ...read,
    summary: 'Read one monitor',
    result: monitorSchema,
  },
  update_monitor: {
    ...monitor,
    method: 'PUT',
    summary: 'Replace a monitor; its type stays',
    body: updateMonitorSchema,
    result: monitorSchema,
    errors: ['conflict', 'rule_invalid'],
  },
  delete_monitor: {
    ...monitor,
    ...removal,
    summary: 'Delete a monitor and its alerts; pre-built ones can only be disabled',
    errors: ['conflict'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };
