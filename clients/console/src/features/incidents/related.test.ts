// SPDX-License-Identifier: Apache-2.0
import type { Incident } from '@sextant/sdk';
import { expect, test } from 'vitest';
import { relatedTo } from './related.ts';

const ASSETS = [
  { id: 'raw', name: 'raw', parents: [], children: ['clean'] },
  { id: 'clean', name: 'clean', parents: ['raw'], children: ['mart'] },
  { id: 'mart', name: 'mart', parents: ['clean'], children: ['raw-copy'] },
  { id: 'raw-copy', name: 'copy', parents: ['mart'], children: [] },
  { id: 'other', name: 'other', parents: [], children: [] },
];

function incident(id: number, asset_id: string, minute: number, more: Partial<Incident> = {}): Incident {
  const time = new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
  return {
    id,
    project_id: 0,
    asset_id,
    last_upload_timestamp: time,
    created_time: time,
    severity: 'LOW',
    impact: '',
    status: 'OPEN',
    ticket_id: 0,
    alert_policy_id: 'A',
    alert_policy_name: 'A',
    description: '',
    tags: [],
    kind: 'VIOLATION',
    ...more,
  };
}

test('each says why it is related: causes first, then what is open, then what is nearest', () => {
  const of = incident(1, 'clean', 0);
  const related = relatedTo(
    of,
    [
      of,
      incident(2, 'other', 30),
      incident(3, 'other', 300),
      incident(4, 'raw-copy', 900),
      incident(5, 'clean', 600, { status: 'CLOSED' }),
      incident(6, 'clean', 900, { alert_policy_id: 'B' }),
      incident(7, 'raw', -900),
      incident(7, 'raw', -900),
    ],
    ASSETS,
  );
  expect(related.map(({ incident: { id }, why }) => [id, why])).toEqual([
    [7, 'in raw, a source of this asset'],
    [6, 'of the same asset'],
    [5, 'of the same monitor, at another time'],
    [4, 'in copy, which is derived from this asset'],
    [2, 'in other, started at the same time'],
  ]);
});
