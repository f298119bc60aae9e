// SPDX-License-Identifier: Apache-2.0
/** A data directory of the observability service with a scanned asset, an incident, a channel and a key, and what it answers. */
import type { ChildServer } from '@sextant/foundation-testing';
import { adminApi } from '../observability/observability-server.ts';
import { scan, uploadAsset } from '../observability/scanning.ts';

const ROWS = ['id,city,amount', ...Array.from({ length: 30 }, (_, index) => `${index},${index % 7 === 0 ? '' : 'Basel'},${index * 1.5}`)];

export async function seedObservability(server: Pick<ChildServer, 'client'>): Promise<void> {
  const api = await adminApi(server);
  const asset = await uploadAsset(api, { file: 'orders.csv', bytes: Buffer.from(`${ROWS.join('\n')}\n`) });
  await api.call(
    'create_monitor',
    { asset_id: asset.id },
    {
      body: {
        type: 'PREDEFINED_METRIC',
        name: 'cities are there',
        enabled: true,
        monitor: { predefined_metric: 'COMPLETENESS', attributes: ['city'] },
        threshold: { threshold_type: 'STATIC', threshold1: 99, threshold2: 100 },
      },
    },
  );
  await scan(api, asset.id);
}

/** What does not change while time passes. */
export async function observabilityAnswers(server: Pick<ChildServer, 'client'>): Promise<{ readonly [question: string]: unknown }> {
  const api = await adminApi(server);
  const assets = await api.call('list_assets', {});
  const of = await Promise.all(
    assets.map(async ({ id }) => ({
      monitors: (await api.call('list_monitors', { asset_id: id })).map(({ name, type, enabled }) => ({ name, type, enabled })),
      jobs: (await api.call('list_jobs', { asset_id: id })).map(({ status }) => status),
      metrics: (await api.call('list_metrics', {}, { query: { asset_id: id } })).map((point) => JSON.stringify(point)).sort(),
    })),
  );
  return {
    assets: assets.map(({ id, name, type }) => ({ id, name, type })),
    of,
    incidents: (await api.call('list_incidents', {})).map(({ id, alert_policy_name, status }) => ({ id, alert_policy_name, status })),
    users: (await api.call('list_users', {})).map(({ email, role }) => ({ email, role })),
  };
}
