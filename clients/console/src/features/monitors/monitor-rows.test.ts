// SPDX-License-Identifier: Apache-2.0
import type { Monitor } from '@sextant/sdk';
import { expect, test } from 'vitest';
import { type MonitorFilter, monitorFilter } from './monitor-filter.ts';
import { filteredMonitors, inState, monitorRows, sortedMonitors } from './monitor-rows.ts';

const assets = [
  { id: 'o', name: 'orders', project_id: 0 },
  { id: 'f', name: 'flights', project_id: 2 },
];

function monitor(id: string, asset_id: string, name: string, other: Partial<Monitor> = {}): Monitor {
  return {
    id,
    asset_id,
    type: 'RULE',
    name,
    enabled: true,
    description: null,
    impact: null,
    tags: null,
    created_by: '',
    created_at: '',
    modified_by: '',
    modified_at: '',
    monitor: { predefined_metric: 'COMPLETENESS', attributes: [] },
    threshold: { threshold_type: 'STATIC', threshold1: 100, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 },
    notification: null,
    ticketing: null,
    ...other,
  };
}

const rows = monitorRows({
  monitors: [
    monitor('SCHEMA_DRIFTS', 'o', 'Schema drifts', { type: 'PREDEFINED_METRIC', description: 'Columns', impact: 'LOW' }),
    monitor('SCHEMA_DRIFTS', 'f', 'Schema drifts', { type: 'PREDEFINED_METRIC', description: 'Columns', enabled: false }),
    monitor('10', 'o', 'Totals', { tags: ['money'], impact: 'HIGH' }),
    monitor('2', 'f', 'Delay', { type: 'METRIC', description: 'max(`delay`)' }),
    monitor('3', 'gone', 'Of an asset that is gone'),
  ],
  assets,
  openIncidents: [
    { asset_id: 'f', alert_policy_id: '2' },
    { asset_id: 'f', alert_policy_id: '10' },
  ],
  erroredChecks: [{ asset_id: 'f', monitor_id: '2', reason: 'delay is gone' }],
});
const shown = (filter: MonitorFilter) =>
  sortedMonitors(inState(filteredMonitors(rows, filter), filter.state), filter).map((row) => `${row.asset.id}/${row.monitor.id}`);

test.each([
  [{}, ['f/2', 'o/10', 'o/SCHEMA_DRIFTS', 'f/SCHEMA_DRIFTS']],
  [{ sort: 'name' }, ['f/2', 'f/SCHEMA_DRIFTS', 'o/SCHEMA_DRIFTS', 'o/10']],
  [{ sort: 'asset' }, ['f/2', 'f/SCHEMA_DRIFTS', 'o/10', 'o/SCHEMA_DRIFTS']],
  [{ sort: 'impact' }, ['o/10', 'o/SCHEMA_DRIFTS', 'f/2', 'f/SCHEMA_DRIFTS']],
  [{ sort: 'impact', desc: true }, ['f/2', 'f/SCHEMA_DRIFTS', 'o/SCHEMA_DRIFTS', 'o/10']],
  [{ sort: 'kind' }, ['f/2', 'f/SCHEMA_DRIFTS', 'o/SCHEMA_DRIFTS', 'o/10']],
  [{ sort: 'state', desc: true }, ['f/SCHEMA_DRIFTS', 'o/10', 'o/SCHEMA_DRIFTS', 'f/2']],
  [{ kind: 'prebuilt' }, ['o/SCHEMA_DRIFTS', 'f/SCHEMA_DRIFTS']],
  [{ kind: 'expression' }, ['f/2']],
  [{ asset: 'o' }, ['o/10', 'o/SCHEMA_DRIFTS']],
  [{ state: 'open' }, ['f/2']],
  [{ state: 'errored' }, ['f/2']],
  [{ state: 'off' }, ['f/SCHEMA_DRIFTS']],
  [{ state: 'on', kind: 'prebuilt' }, ['o/SCHEMA_DRIFTS']],
  [{ q: 'MONEY orders' }, ['o/10']],
  [{ q: 'max(`delay' }, ['f/2']],
  [{ q: 'nothing' }, []],
] as const)('%j lists %j', (filter, expected) => {
  expect(shown(filter)).toEqual(expected);
});

test.each([
  [
    { q: 7, asset: 'o', kind: 'rule', state: 'off', sort: 'asset', desc: true },
    { q: '7', asset: 'o', kind: 'rule', state: 'off', sort: 'asset', desc: true },
  ],
  [{ kind: 'unknown', state: 1, sort: 'colour', desc: 'yes', other: 'x' }, {}],
])('the address %j says %j', (search, filter) => {
  expect(monitorFilter(search)).toEqual(filter);
});
