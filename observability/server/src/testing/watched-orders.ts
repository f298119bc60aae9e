// SPDX-License-Identifier: Apache-2.0
/** Orders that a monitor wants at least three of, delivered to a service of a test, with what people do about them. */
import { expect } from 'vitest';
import type { TestService } from './test-service.ts';

export type Json = { readonly [name: string]: unknown };
type Headers = { readonly [name: string]: string };
type Incident = { readonly id: number; readonly status: string; readonly alert_policy_id: string };
export type Step = {
  readonly state: string;
  readonly alert_refs: readonly { readonly metric_time: string; readonly violation_name: string }[];
};

export const BACKEND = '/api/backend/default';
export const GOOD = 'id,amount\n1,10\n2,20\n3,30\n';
const SHORT = 'id,amount\n1,10\n';
/** The series that the monitor watches. */
export const COUNT = { metric_name: 'RECORD_COUNT', metric_aggregation: 'count' };

/** The service and its admin are asked for when they are needed: tests name them before they start. */
export function watchedOrders(at: () => { readonly service: TestService; readonly admin: Headers }) {
  const call = (method: string, path: string, body?: unknown, headers: Headers = at().admin) =>
    at().service.call(method, path, body, headers);

  async function ask<Body = Json>(method: string, path: string, body?: unknown): Promise<Body> {
    const reply = await call(method, path, body);
    expect(reply).toMatchObject({ status: 200 });
    // The caller knows what it asked for.
    return reply.body as Body;
  }

  async function upload(text: string): Promise<Json> {
    const reply = await at().service.call('POST', '/default/uploads?name=orders.csv', text, { ...at().admin, 'content-type': 'text/csv' });
    return (reply.body as { readonly payload: Json }).payload;
  }

  /** An asset whose monitor wants at least three records. */
  async function watchedAsset(text: string): Promise<{ readonly asset: string; readonly monitor: string }> {
    const body = { name: 'orders', type: 'UPLOAD', payload: await upload(text) };
    const { id } = await ask('POST', `${BACKEND}/configuration/projects/0/assets`, body);
    const monitor = await ask('POST', `/default/configuration/assets/${id}/monitors`, recordsMonitor());
    return { asset: String(id), monitor: String(monitor.id) };
  }

  function recordsMonitor(change: Json = {}) {
    return {
      type: 'PREDEFINED_METRIC',
      name: 'enough orders',
      enabled: true,
      monitor: { predefined_metric: 'RECORD_COUNT', attributes: [] },
      threshold: { threshold_type: 'STATIC', threshold1: 3, threshold2: null },
      ...change,
    };
  }

  async function deliver(asset: string, text: string): Promise<void> {
    await ask('PUT', `${BACKEND}/configuration/projects/0/assets/${asset}`, { payload: await upload(text) });
  }

  async function scan(asset: string): Promise<string> {
    const { job_id } = await ask('POST', `/default/assets/${asset}/batch_data`, {});
    const { service, admin } = at();
    expect(await service.untilEnded(String(job_id), admin)).toMatchObject({ status: 'FINISHED' });
    return String(job_id);
  }

  const incidentsOf = async (asset: string, monitor: string) =>
    (await ask<readonly (Incident & { asset_id: string })[]>('GET', `${BACKEND}/incidents?alert_policy_ids=${monitor}`)).filter(
      ({ asset_id }) => asset_id === asset,
    );

  /** A scan that violated, and its incident. */
  async function openIncident() {
    const place = await watchedAsset(SHORT);
    const job = await scan(place.asset);
    const [incident] = await incidentsOf(place.asset, place.monitor);
    expect(incident).toMatchObject({ status: 'OPEN' });
    return { ...place, job, id: incident?.id ?? 0, path: `${BACKEND}/incidents/${incident?.id}` };
  }

  const statesOf = async (path: string) => (await ask<{ history: readonly Step[] }>('GET', path)).history.map(({ state }) => state);
  const trailOf = async (path: string) =>
    (await ask<{ audit: readonly Json[] }>('GET', `${path}/activity`)).audit.map(({ actor, action }) => [actor, action]);

  return { call, ask, upload, recordsMonitor, deliver, scan, incidentsOf, openIncident, statesOf, trailOf };
}
