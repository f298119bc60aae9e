// SPDX-License-Identifier: Apache-2.0
import type { Monitor } from '@sextant/sdk';
import { describe, expect, test } from 'vitest';
import {
  createBodyOf,
  formOf,
  NEW_MONITOR,
  previewBodyOf,
  suggestedName,
  thresholdOf,
  updateBodyOf,
  writtenValues,
} from './monitor-form.ts';

const THRESHOLD: Monitor['threshold'] = {
  threshold_type: 'ML',
  threshold1: null,
  threshold2: null,
  extrapolation_strategy: 'IGNORE',
  history_limit: 0,
};

function monitor(members: Partial<Monitor>): Monitor {
  return {
    id: '1',
    asset_id: 'abcdefghijkl',
    type: 'PREDEFINED_METRIC',
    name: 'complete',
    enabled: true,
    description: null,
    impact: null,
    tags: null,
    created_by: 'ada',
    created_at: '2026-01-01T00:00:00.000Z',
    modified_by: 'ada',
    modified_at: '2026-01-01T00:00:00.000Z',
    monitor: { predefined_metric: 'COMPLETENESS', attributes: [] },
    threshold: THRESHOLD,
    notification: null,
    ticketing: null,
    ...members,
  };
}

const STORED: readonly (readonly [name: string, stored: Monitor])[] = [
  ['one that leaves everything open', monitor({})],
  ['empty lists and texts that are stored as such', monitor({ description: '', tags: [] })],
  [
    'a metric with all of its members',
    monitor({
      enabled: false,
      description: 'why',
      impact: 'HIGH',
      tags: ['sales', 'daily'],
      monitor: { predefined_metric: 'MEAN', attributes: ['price', 'gone'] },
      threshold: { threshold_type: 'STATIC', threshold1: 0, threshold2: 10.5, extrapolation_strategy: 'ZERO', history_limit: 7 },
      notification: { send_notifications: true, notification_channel_names: ['team'] },
      ticketing: { type: 'TRACKER', create_ticket: true, ticket_template_id: 3 },
    }),
  ],
  [
    'what the form hides at the moment: bounds of a learned band, channels and a template that are off',
    monitor({
      threshold: { ...THRESHOLD, threshold1: 95, threshold2: 100, history_limit: 20 },
      notification: { send_notifications: false, notification_channel_names: ['team'] },
      ticketing: { type: 'TRACKER', create_ticket: false, ticket_template_id: 3 },
    }),
  ],
  [
    'members that are open within others',
    monitor({
      notification: { send_notifications: true, notification_channel_names: null },
      ticketing: { type: 'TRACKER', create_ticket: null, ticket_template_id: null },
    }),
  ],
  ['an empty list of channels', monitor({ notification: { send_notifications: false, notification_channel_names: [] } })],
  ['a metric of a later release', monitor({ monitor: { predefined_metric: 'SMELL', attributes: [] } })],
  ['an expression', monitor({ type: 'METRIC', monitor: { expression: 'sum(a)', options: { ignore_nulls: true }, raw_sql: false } })],
  ['a statement', monitor({ type: 'METRIC', monitor: { expression: 'SELECT 1', options: { ignore_nulls: false }, raw_sql: true } })],
  [
    'a rule with variables of every kind',
    monitor({
      type: 'RULE',
      monitor: {
        expression: 'VALIDATE a EXPECT VALUE IN known',
        options: { ignore_nulls: true, empty_values: ['n/a'] },
        variables: [
          { name: 'known', type: 'LIST', value: ['a', 7, '7'] },
          { name: 'one', type: 'CONSTANT', value: [1.5] },
          { name: 'other', type: 'REFERENCE', value: ['b'] },
          { name: 'range', type: 'RANGE', value: ['@now - 1d', '@now'] },
        ],
      },
    }),
  ],
];

describe('a monitor that is opened and saved', () => {
  test.each(STORED)('stays what it was: %s', (_, stored) => {
    const { name, enabled, description, impact, tags, monitor: definition, threshold, notification, ticketing } = stored;
    const changeable = { name, enabled, description, impact, tags, monitor: definition, threshold, notification, ticketing };
    expect(updateBodyOf(formOf(stored), stored)).toEqual(changeable);
  });

  test('what is emptied by hand is empty, not left open', () => {
    const stored = monitor({
      description: 'why',
      tags: ['sales'],
      notification: { send_notifications: true, notification_channel_names: ['team'] },
      ticketing: { type: 'TRACKER', create_ticket: true, ticket_template_id: 3 },
    });
    const emptied = { ...formOf(stored), description: '', tags: [], notifies: false, channels: [], makesTickets: false, templateId: null };
    expect(updateBodyOf(emptied, stored)).toMatchObject({
      description: '',
      tags: [],
      notification: { send_notifications: false, notification_channel_names: [] },
      ticketing: { type: 'TRACKER', create_ticket: false, ticket_template_id: null },
    });
  });
});

describe('a new monitor', () => {
  test('leaves open what nobody wrote', () => {
    expect(createBodyOf({ ...NEW_MONITOR, name: 'n' })).toEqual({
      type: 'PREDEFINED_METRIC',
      name: 'n',
      enabled: true,
      description: null,
      impact: null,
      tags: null,
      monitor: { predefined_metric: 'COMPLETENESS', attributes: [] },
      threshold: THRESHOLD,
      notification: null,
      ticketing: null,
    });
  });

  test.each([
    ['', null],
    ['  ', null],
    [0, 0],
    ['12.5', 12.5],
    [-3, -3],
  ])('the bound %j is %j', (written, bound) => {
    expect(thresholdOf({ ...NEW_MONITOR, thresholdType: 'STATIC', lower: written }).threshold1).toBe(bound);
  });

  test('is called by what it watches, a rule by nothing', () => {
    expect(suggestedName({ ...NEW_MONITOR, attributes: ['a', 'b', 'c', 'd'] }, 'Completeness')).toBe('Completeness of a, b, c and others');
    expect(suggestedName({ ...NEW_MONITOR, type: 'RULE' }, 'Completeness')).toBe('');
  });
});

describe('what is tried on the history', () => {
  test('a rule names the monitor that measured it, a metric needs none', () => {
    expect(previewBodyOf({ ...NEW_MONITOR, type: 'RULE', expression: 'VALIDATE a EXPECT IS_NULL' }, '7')).toMatchObject({
      monitor_id: '7',
    });
    expect(previewBodyOf(NEW_MONITOR, '7')).not.toHaveProperty('monitor_id');
    expect(previewBodyOf({ ...NEW_MONITOR, type: 'METRIC', expression: 'sum(a)' }, undefined)).not.toHaveProperty('monitor_id');
  });
});

test.each([
  ['LIST', ['a', '7', ''], [7], ['a', 7]],
  ['LIST', ['7'], ['7'], ['7']],
  ['LIST', ['07'], [7], ['07']],
  ['RANGE', ['1'], [1, 2], [1, '']],
  ['RANGE', [3, 4, 5], [], [3, 4]],
  ['CONSTANT', ['2.5', 'x'], [2.5], [2.5]],
  ['REFERENCE', [], ['a'], ['']],
] as const)('%s written as %j, which was %j', (type, written, before, values) => {
  expect(writtenValues(type, written, before)).toEqual(values);
});
