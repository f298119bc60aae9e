// SPDX-License-Identifier: Apache-2.0
/**
 * A tenant whose scans raise incidents that are known to the last value: three small assets in two projects, over two connections and an
 * upload, watched by monitors with stated bands.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Asset, Incident, Job, Monitor } from '@sextant/contracts-observability';
import { systemClock } from '@sextant/foundation-std';
import type { Input, ObservabilityApi } from '../observability-api.ts';
import { DEFAULT_PROJECT, scan } from '../scanning.ts';

export const CHANNEL = 'data team';

/** Half of the French totals are missing, one German one is negative. */
const ORDERS = 'id,country,total\n1,DE,10\n2,FR,\n3,DE,30\n4,FR,\n5,DE,-50\n6,FR,60\n7,DE,70\n8,FR,80\n9,DE,90\n10,DE,100\n';
/** All German mail addresses are there, two of five French ones. */
const CUSTOMERS = ['DE', 'FR'].flatMap((country) =>
  [1, 2, 3, 4, 5].map((id) => `${country}${id},${country},${country === 'FR' && id > 2 ? '' : 'a@example.com'}`),
);
const PRICES = { fair: 'article,price\na,14\nb,16\n', dear: 'article,price\na,19\nb,22\n' } as const;

const stated = (threshold1: number | null, threshold2: number | null) => ({ threshold_type: 'STATIC', threshold1, threshold2 }) as const;

export type NewMonitor = NonNullable<Exclude<Input<'create_monitor'>['body'], Uint8Array>>;

/** By the asset that they watch, in the order of their ids. */
export const MONITORS = {
  orders: [
    {
      type: 'PREDEFINED_METRIC',
      name: 'Totals are filled',
      enabled: true,
      impact: 'HIGH',
      tags: ['finance', 'shop'],
      threshold: stated(90, 100),
      monitor: { predefined_metric: 'COMPLETENESS', attributes: ['total'] },
      notification: { send_notifications: true, notification_channel_names: [CHANNEL] },
    },
    {
      type: 'RULE',
      name: 'Totals are positive',
      enabled: true,
      impact: 'LOW',
      tags: ['finance'],
      threshold: stated(100, null),
      monitor: { expression: 'VALIDATE total EXPECT NUMERIC_VALUE > 0', options: { ignore_nulls: true } },
    },
  ],
  customers: [
    {
      type: 'PREDEFINED_METRIC',
      name: 'Mail addresses are known',
      enabled: true,
      impact: 'MEDIUM',
      threshold: stated(50, 100),
      monitor: { predefined_metric: 'COMPLETENESS', attributes: ['email'] },
    },
  ],
  prices: [
    {
      type: 'METRIC',
      name: 'Mean price',
      enabled: true,
      tags: ['Finance 100 %'],
      threshold: stated(10, 20),
      monitor: { expression: 'avg(`price`)' },
    },
  ],
} as const satisfies { readonly [asset: string]: readonly NewMonitor[] };

export type AssetName = keyof typeof MONITORS;

export type SeededTenant = {
  readonly sales: number;
  readonly connections: { readonly customers: number; readonly prices: number };
  readonly assets: Readonly<Record<AssetName, Asset>>;
  readonly monitors: Readonly<Record<string, Monitor>>;
  /** The first scan of each. */
  readonly jobs: Readonly<Record<AssetName, Job>>;
  /** Before and after all that happened. */
  readonly period: { readonly from: string; readonly to: string };
  readonly pricesAre: (which: keyof typeof PRICES) => Promise<Job>;
  readonly incidentOf: (policy: string) => Promise<Incident>;
};

/** Builds the tenant and scans each asset once; `directory` is one that the service may read. */
export async function seedTenant(
  api: ObservabilityApi,
  { directory, hook }: { readonly directory: string; readonly hook: string },
): Promise<SeededTenant> {
  const from = nowText();
  await api.call('create_channel', {}, { body: { name: CHANNEL, type: 'WEBHOOK', addresses: [hook] } });
  const { id: sales } = await api.call('create_project', {}, { body: { name: 'Sales' } });
  const connections = {
    customers: await connect(api, join(directory, 'customers')),
    prices: await connect(api, join(directory, 'prices')),
  };
  const customersFile = join(directory, 'customers', 'customers.csv');
  const pricesFile = join(directory, 'prices', 'prices.csv');
  await writeFile(customersFile, `id,country,email\n${CUSTOMERS.join('\n')}\n`);
  await writeFile(pricesFile, PRICES.dear);
  const { payload } = await api.call('create_upload', {}, { query: { name: 'orders.csv' }, body: Buffer.from(ORDERS) });

  const assets = {
    orders: await register(api, DEFAULT_PROJECT, { name: 'Orders', type: 'UPLOAD', payload, tags: ['shop'] }),
    customers: await register(api, sales, {
      name: 'Customers',
      type: 'FILE',
      connection_id: connections.customers,
      payload: { path: 'customers.csv' },
      options: { segments: { country: ['DE', 'FR'] } },
    }),
    prices: await register(api, sales, {
      name: 'Prices',
      type: 'FILE',
      connection_id: connections.prices,
      payload: { path: 'prices.csv' },
    }),
  };
  const monitors: Record<string, Monitor> = {};
  for (const [asset, wanted] of Object.entries(MONITORS)) {
    for (const body of wanted)
      monitors[body.name] = await api.call('create_monitor', { asset_id: assets[asset as AssetName].id }, { body });
  }
  const jobs = {
    orders: await scan(api, assets.orders.id),
    customers: await scan(api, assets.customers.id),
    prices: await scan(api, assets.prices.id),
  };
  return {
    sales,
    connections,
    assets,
    monitors,
    jobs,
    period: { from, to: nowText() },
    pricesAre: async (which) => {
      await writeFile(pricesFile, PRICES[which]);
      return scan(api, assets.prices.id);
    },
    incidentOf: async (policy) => {
      const found = (await api.call('list_incidents', {})).find(({ alert_policy_name }) => alert_policy_name === policy);
      if (found === undefined) throw new Error(`there is no incident of ${policy}`);
      return found;
    },
  };
}

async function connect(api: ObservabilityApi, directory: string): Promise<number> {
  await mkdir(directory, { recursive: true });
  const { id } = await api.call('create_connection', {}, { body: { name: directory, type: 'FILE', payload: { directory } } });
  return id;
}

async function register(
  api: ObservabilityApi,
  project_id: number,
  body: NonNullable<Exclude<Input<'create_asset'>['body'], Uint8Array>>,
): Promise<Asset> {
  const { id } = await api.call('create_asset', { project_id }, { body });
  await api.call('put_attributes', { asset_id: id }, { body: { all: true } });
  return api.call('get_asset', { project_id, asset_id: id });
}

function nowText(): string {
  return new Date(systemClock.nowMs()).toISOString();
}
