// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type IncidentCause, type NewestIncident, nextMove, REOPEN_WINDOW_MS } from './incident-machine.ts';

const NOW = Date.parse('2025-06-01T00:00:00.000Z');
const OPEN: NewestIncident = { status: 'OPEN', lastStepMs: NOW - 1000 };
const CLOSED: NewestIncident = { status: 'CLOSED', lastStepMs: NOW - REOPEN_WINDOW_MS };
const LONG_CLOSED: NewestIncident = { status: 'CLOSED', lastStepMs: NOW - REOPEN_WINDOW_MS - 1 };

const RESOLVING = ['no violation', 'monitor is off', 'all alerts excluded', 'closed by a person'] as const;
const CAUSES: readonly IncidentCause[] = [
  'violation',
  'error',
  'error reported elsewhere',
  ...RESOLVING,
  'not evaluated',
  'reopened by a person',
];

describe.each(['violation', 'error'] as const)('a %s', (cause) => {
  test.each([
    ['[I2] opens an incident where there is none', undefined, 'NEW'],
    ['[I2] goes on with the open one', OPEN, 'ONGOING'],
    ['[I2] reopens one that was closed 30 days ago', CLOSED, 'REOPENED'],
    ['[I2] begins a new one after that', LONG_CLOSED, 'NEW'],
  ])('%s', (_, newest, state) => {
    expect(nextMove(newest, cause, NOW)).toEqual({ isNew: state === 'NEW', state, timeMs: NOW });
  });
});

describe.each(RESOLVING)('[I3][I5][I6] %s', (cause) => {
  test('resolves an open incident, and no other', () => {
    expect(nextMove(OPEN, cause, NOW)).toEqual({ isNew: false, state: 'RESOLVED', timeMs: NOW });
    for (const newest of [undefined, CLOSED, LONG_CLOSED]) expect(nextMove(newest, cause, NOW)).toBeUndefined();
  });
});

test('an error that others report goes on with an open incident, and begins none', () => {
  expect(nextMove(OPEN, 'error reported elsewhere', NOW)).toMatchObject({ state: 'ONGOING' });
  for (const newest of [undefined, CLOSED, LONG_CLOSED]) expect(nextMove(newest, 'error reported elsewhere', NOW)).toBeUndefined();
});

test('[I3] a monitor that knows too little changes nothing', () => {
  for (const newest of [undefined, OPEN, CLOSED, LONG_CLOSED]) expect(nextMove(newest, 'not evaluated', NOW)).toBeUndefined();
});

test('[I7] a person reopens a closed incident, however old', () => {
  for (const newest of [CLOSED, LONG_CLOSED]) {
    expect(nextMove(newest, 'reopened by a person', NOW)).toEqual({ isNew: false, state: 'REOPENED', timeMs: NOW });
  }
  for (const newest of [undefined, OPEN]) expect(nextMove(newest, 'reopened by a person', NOW)).toBeUndefined();
});

test('[I8] a clock that goes back makes no step that precedes the last one', () => {
  expect(nextMove(OPEN, 'violation', NOW - 60_000)).toMatchObject({ timeMs: OPEN.lastStepMs });
});

test('any life begins NEW, never resolves twice, and ascends in time', () => {
  const event = fc.record({ cause: fc.constantFrom(...CAUSES), afterMs: fc.integer({ min: -1000, max: 2 * REOPEN_WINDOW_MS }) });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let newest: NewestIncident | undefined;
      let nowMs = NOW;
      for (const { cause, afterMs } of events) {
        nowMs += afterMs;
        const move = nextMove(newest, cause, nowMs);
        if (move === undefined) continue;
        expect(move.isNew).toBe(move.state === 'NEW');
        if (move.isNew) expect(newest?.status).not.toBe('OPEN');
        else expect(move.timeMs).toBeGreaterThanOrEqual(newest?.lastStepMs ?? Number.POSITIVE_INFINITY);
        if (move.state === 'ONGOING' || move.state === 'RESOLVED') expect(newest?.status).toBe('OPEN');
        if (move.state === 'REOPENED') expect(newest?.status).toBe('CLOSED');
        newest = { status: move.state === 'RESOLVED' ? 'CLOSED' : 'OPEN', lastStepMs: move.timeMs };
      }
    }),
  );
});
