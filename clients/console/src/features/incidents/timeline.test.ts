// SPDX-License-Identifier: Apache-2.0
import type { IncidentActivity } from '@sextant/sdk';
import { expect, test } from 'vitest';
import { timelineOf } from './timeline.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();
const step = (minute: number, state: IncidentActivity['steps'][number]['state'], actor = 'system') => ({
  timestamp: at(minute),
  state,
  actor,
});
const entry = (id: number, minute: number, action: IncidentActivity['audit'][number]['action'], details = {}) => {
  return { id, timestamp: at(minute), actor: 'ada@example.org', action, subject_type: 'INCIDENT' as const, subject_id: '1', details };
};

test('states, comments, assignment, ticket and points are one story, newest first', () => {
  const items = timelineOf({
    assignee: null,
    handling: null,
    steps: [step(0, 'NEW'), step(60, 'RESOLVED', 'ada@example.org')],
    comments: [{ id: 1, author: 'ada@example.org', created_time: at(20), text: 'Seen.' }],
    audit: [
      entry(5, 60, 'CLOSED'),
      entry(4, 40, 'EXCLUDED', { metric_name: 'NULL_PERCENTAGE', attribute: 'delay', comment: 'Easter' }),
      entry(3, 30, 'TICKET_LINKED', { key: 'OPS-1' }),
      entry(2, 20, 'COMMENTED'),
      entry(1, 10, 'ASSIGNED', { from: null, to: 'ben@example.org' }),
      entry(0, 5, 'HANDLED', { state: 'ACKNOWLEDGED', until: null, note: 'seen' }),
    ],
  });
  expect(items.map(({ key: _key, at: _at, ...happening }) => happening)).toEqual([
    { kind: 'step', state: 'RESOLVED', actor: 'ada@example.org' },
    { kind: 'point', actor: 'ada@example.org', isExcluded: true, what: 'null percentage of `delay`', comment: 'Easter' },
    { kind: 'ticket', actor: 'ada@example.org', isLinked: true, ticket: 'OPS-1' },
    { kind: 'comment', actor: 'ada@example.org', text: 'Seen.' },
    { kind: 'assigned', actor: 'ada@example.org', to: 'ben@example.org' },
    { kind: 'handled', actor: 'ada@example.org', state: 'ACKNOWLEDGED', note: 'seen' },
    { kind: 'step', state: 'NEW', actor: 'system' },
  ]);
});

test('scans that find it again are one, until something else happens', () => {
  const items = timelineOf({
    assignee: null,
    handling: null,
    steps: [step(0, 'NEW'), step(1, 'ONGOING'), step(2, 'ONGOING'), step(4, 'ONGOING')],
    comments: [{ id: 1, author: 'ada@example.org', created_time: at(3), text: 'Seen.' }],
    audit: [],
  });
  expect(items.map((item) => (item.kind === 'again' ? [item.scans, item.since, item.at] : item.kind))).toEqual([
    [1, at(4), at(4)],
    'comment',
    [2, at(1), at(2)],
    'step',
  ]);
});
