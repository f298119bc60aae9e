// SPDX-License-Identifier: Apache-2.0
/** Assets with monitors that break, and all that must tell of a monitor after a scan. */
import { strictEqual } from 'node:assert/strict';
import type { Asset, Job } from '@sextant/contracts-observability';
import type { JsonReply } from '@sextant/foundation-testing';
import { type ServiceUnderTest, sharedServiceUnderTest } from '../contract/service-under-test.ts';
import { bodyOf } from '../contract/wire.ts';
import { scan, uploadAsset } from '../scanning.ts';

export const ROWS = ['1,Ann,10,2,2026-01-01,true', '2,Bo,20,4,2026-01-02,false', '3,Cem,30,5,2026-01-03,true'];
export const HEADER = 'id,name,price,quantity,sold_on,is_paid';
export const GOOD = csv(HEADER, ...ROWS);

export function csv(...lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join('\n')}\n`);
}

export type Definition = { readonly type: 'RULE' | 'METRIC' | 'PREDEFINED_METRIC'; readonly monitor: object; readonly threshold?: object };

export const STATED = { threshold_type: 'STATIC', threshold1: 0 };
export const rule = (expression: string, more = {}): Definition => ({ type: 'RULE', monitor: { expression, ...more } });
export const metric = (expression: string, more = {}): Definition => ({
  type: 'METRIC',
  monitor: { expression, ...more },
  threshold: STATED,
});
export const sql = (expression: string): Definition => metric(expression, { raw_sql: true });
export const watched = (predefined_metric: string, ...attributes: readonly string[]): Definition => ({
  type: 'PREDEFINED_METRIC',
  monitor: { predefined_metric, attributes },
  threshold: STATED,
});

type CheckFixture = ServiceUnderTest & {
  readonly newAsset: (bytes: Buffer, options?: object) => Promise<Asset>;
  /** Where the monitors of an asset are. */
  readonly pathOf: (assetId: string) => string;
  readonly create: (assetId: string, definition: Definition, name?: string) => Promise<JsonReply>;
  /** Answers the id of the monitor. */
  readonly created: (assetId: string, definition: Definition, name?: string) => Promise<string>;
  readonly deliver: (assetId: string, bytes: Buffer) => Promise<void>;
  readonly findings: (job: Job, monitorId: string, name: string) => Promise<Findings>;
  /** The same of a monitor that has no name of its own, after a scan that ends well. */
  readonly checkAfterScan: (assetId: string, monitorId: string) => Promise<Findings>;
};

type Findings = Awaited<ReturnType<typeof findingsOf>>;

export async function startCheckFixture(): Promise<CheckFixture> {
  const service = await sharedServiceUnderTest();
  const { admin, api } = service;
  let assets = 0;
  const pathOf = (assetId: string): string => `/${api.tenant}/configuration/assets/${assetId}/monitors`;
  const create: CheckFixture['create'] = (assetId, definition, name = 'broken') =>
    admin.post(pathOf(assetId), { name, enabled: true, ...definition });
  const findings: CheckFixture['findings'] = (job, monitorId, name) => findingsOf(service, job, { monitorId, name });
  return {
    ...service,
    pathOf,
    create,
    findings,
    newAsset: (bytes, options = {}) => {
      assets += 1;
      return uploadAsset(api, { file: `orders-${assets}.csv`, bytes, options });
    },
    created: async (assetId, definition, name) => bodyOf<{ readonly id: string }>(await create(assetId, definition, name)).id,
    deliver: async (assetId, bytes) => {
      const { payload } = await api.call('create_upload', {}, { query: { name: 'next.csv' }, body: bytes });
      await api.call('update_asset', { project_id: 0, asset_id: assetId }, { body: { payload } });
    },
    checkAfterScan: async (assetId, monitorId) => {
      const job = await scan(api, assetId);
      strictEqual(job.status, 'FINISHED', job.details);
      return findings(job, monitorId, 'broken');
    },
  };
}

async function findingsOf(
  { api }: ServiceUnderTest,
  { id: jobId, asset_id: assetId }: Job,
  { monitorId, name }: { readonly monitorId: string; readonly name: string },
) {
  const checks = await api.call('list_job_checks', { job_id: jobId });
  const check = checks.find(({ monitor_id }) => monitor_id === monitorId);
  const incidents = await api.call('list_incidents', {}, { query: { asset_ids: assetId, alert_policy_ids: monitorId } });
  const alerts = await api.call('job_alerts', { asset_id: assetId }, { query: { job_id: jobId } });
  return { check, incidents, alerts: alerts.filter(({ policy_name }) => policy_name === name) };
}
