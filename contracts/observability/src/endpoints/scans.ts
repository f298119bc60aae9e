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
import { messageSchema } from '../value-schemas.ts';
import { type Endpoint, needs } from './endpoint.ts';
import { backend, configuration, data, search } from './paths.ts';

const JOB = '/{tenant}/jobs/{job_id}';
const MONITORS = '/{tenant}/configuration/assets/{asset_id}/monitors';
const MONITOR = `${MONITORS}/{monitor_id}` as const;
const scans = { tag: 'Scans' } as const;
const monitors = { tag: 'Monitors' } as const;

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
    errors: ['not_found', 'conflict', 'not_supported_yet', 'overloaded'],
  },
  get_job: {
    ...scans,
    ...backend(JOB),
    method: 'GET',
    summary: 'Read one job',
    needs: needs.viewer,
    result: jobSchema,
    errors: ['not_found'],
  },
  list_jobs: {
    ...scans,
    ...backend('/{tenant}/sources/{asset_id}/jobs', '/{tenant}/assets/{asset_id}/jobs'),
    method: 'GET',
    summary: 'List the jobs of an asset, newest first; with most_recent=true only the last',
    needs: needs.viewer,
    query: jobListQuerySchema,
    result: Type.Array(listedJobSchema),
    errors: ['not_found'],
  },
  list_tenant_jobs: {
    ...scans,
    ...backend('/{tenant}/jobs'),
    method: 'GET',
    summary: 'List the jobs of all assets, newest first; with most_recent=true only the last of each',
    needs: needs.viewer,
    query: jobListQuerySchema,
    result: Type.Array(listedJobSchema),
    errors: [],
  },
  cancel_job: {
    ...scans,
    ...backend(`${JOB}/cancel`),
    method: 'POST',
    summary: 'Stop a job',
    needs: needs.jobOperator,
    result: jobSchema,
    errors: ['not_found', 'conflict'],
  },
  list_samples: {
    ...scans,
    ...backend(`${JOB}/samples`),
    method: 'GET',
    summary:
      'List sample rows that failed a rule or could not be read, values of the wrong type, and faulty points of a collection; personal data are masked',
    needs: needs.viewer,
    query: sampleQuerySchema,
    result: Type.Array(rowSampleSchema),
    errors: ['not_found'],
  },
  list_schema_changes: {
    ...scans,
    ...backend(`${JOB}/schema_changes`),
    method: 'GET',
    summary: 'List columns that were added, removed or changed their type since the previous scan',
    needs: needs.viewer,
    result: Type.Array(schemaChangeSchema),
    errors: ['not_found'],
  },
  list_job_checks: {
    ...scans,
    ...backend(`${JOB}/checks`),
    method: 'GET',
    summary: 'List the state of each monitor in a scan: ok, violated, errored or not evaluated, with the reason',
    needs: needs.viewer,
    result: Type.Array(checkSchema),
    errors: ['not_found'],
  },
  list_checks: {
    ...scans,
    ...backend('/{tenant}/checks'),
    method: 'GET',
    summary: 'List the state of each monitor in the last finished scan of its asset, for all assets or one',
    needs: needs.viewer,
    query: checkQuerySchema,
    result: Type.Array(checkSchema),
    errors: ['not_found'],
  },
  list_metrics: {
    ...scans,
    ...search('/{tenant}/metrics'),
    method: 'GET',
    summary: 'Read the metric history of an asset, oldest first',
    needs: needs.viewer,
    query: metricQuerySchema,
    result: Type.Array(metricHistoryItemSchema),
    errors: ['not_found'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };

export const monitorEndpoints = {
  list_tenant_monitors: {
    ...monitors,
    ...configuration('/{tenant}/configuration/monitors'),
    method: 'GET',
    summary: 'List the monitors of all assets, user-defined monitors first; optionally only those that use a channel or a ticket template',
    needs: needs.viewer,
    query: monitorQuerySchema,
    result: Type.Array(monitorSchema),
    errors: [],
  },
  list_monitors: {
    ...monitors,
    ...configuration(MONITORS),
    method: 'GET',
    summary: 'List the monitors of an asset, including pre-built monitors',
    needs: needs.viewer,
    result: Type.Array(monitorSchema),
    errors: ['not_found'],
  },
  create_monitor: {
    ...monitors,
    ...configuration(MONITORS),
    method: 'POST',
    summary: 'Create a monitor',
    needs: needs.assetEditor,
    body: createMonitorSchema,
    result: monitorSchema,
    errors: ['not_found', 'conflict', 'rule_invalid'],
  },
  preview_monitor: {
    ...monitors,
    ...configuration(`${MONITORS}/preview`),
    method: 'POST',
    summary: 'Validate a monitor without saving it, and preview it on past measurements',
    needs: needs.assetEditor,
    body: previewMonitorSchema,
    result: monitorPreviewSchema,
    errors: ['not_found', 'rule_invalid'],
  },
  get_monitor: {
    ...monitors,
    ...configuration(MONITOR),
    method: 'GET',
    summary: 'Read one monitor',
    needs: needs.viewer,
    result: monitorSchema,
    errors: ['not_found'],
  },
  update_monitor: {
    ...monitors,
    ...configuration(MONITOR),
    method: 'PUT',
    summary: 'Replace a monitor; its type stays',
    needs: needs.assetEditor,
    body: updateMonitorSchema,
    result: monitorSchema,
    errors: ['not_found', 'conflict', 'rule_invalid'],
  },
  delete_monitor: {
    ...monitors,
    ...configuration(MONITOR),
    method: 'DELETE',
    summary: 'Delete a monitor and its alerts; pre-built ones can only be disabled',
    needs: needs.assetEditor,
    result: messageSchema,
    errors: ['not_found', 'conflict'],
  },
} as const satisfies { readonly [operation: string]: Endpoint };
