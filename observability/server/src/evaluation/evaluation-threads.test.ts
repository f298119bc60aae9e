// SPDX-License-Identifier: Apache-2.0
import type { Monitor } from '@sextant/contracts-observability';
import { afterAll, expect, test } from 'vitest';
import type { EvaluationInput } from './evaluation-input.ts';
import { EvaluationThreads } from './evaluation-threads.ts';
import { pack } from './past.ts';

const TIME = '2025-06-01T00:00:00.000Z';
const threads = new EvaluationThreads();
afterAll(() => threads[Symbol.asyncDispose]());

const MONITOR: Monitor = {
  id: '7',
  asset_id: 'a1',
  type: 'PREDEFINED_METRIC',
  name: 'Rows',
  enabled: true,
  description: null,
  impact: null,
  tags: null,
  created_by: 'ada',
  created_at: TIME,
  modified_by: 'ada',
  modified_at: TIME,
  monitor: { predefined_metric: 'RECORD_COUNT', attributes: [] },
  threshold: { threshold_type: 'STATIC', threshold1: 5, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 },
  notification: null,
  ticketing: null,
};

const SERIES = { metric_name: 'RECORD_COUNT', metric_aggregation: 'count', attribute: null, segment: null, monitor_id: null } as const;

function inputOf(value: number, monitors: readonly Monitor[] = [MONITOR]): EvaluationInput {
  const points = [1, 2, 3]
    .map((day) => ({ timeMs: Date.parse(TIME) - day * 86_400_000, value: 10, isExcluded: false, isExpected: false }))
    .toReversed();
  return {
    monitors,
    points: [{ ...SERIES, value }],
    metricTimeMs: Date.parse(TIME),
    timeAttributes: [],
    schemaChanges: [],
    recentSchemaChanges: [],
    samples: [],
    failures: [],
    schema: undefined,
    ruleCounts: [],
    segmentMoves: [],
    past: pack([[{ ...SERIES, points }]]),
    detectorStates: [],
    parents: [],
  };
}

const outcomes = async (input: EvaluationInput, signal = new AbortController().signal) =>
  (await threads.evaluate(input, signal)).verdicts.map(({ outcome }) => outcome);

test('monitors are evaluated on another thread, also several at a time', async () => {
  expect(await Promise.all([outcomes(inputOf(1)), outcomes(inputOf(9)), outcomes(inputOf(0))])).toEqual([
    ['violated'],
    ['clear'],
    ['violated'],
  ]);
});

test('an evaluation that fails says why, and the next one is not touched by it', async () => {
  // What no schema lets through: the evaluation has to stumble over something.
  await expect(outcomes(inputOf(1, [{ ...MONITOR, monitor: undefined } as unknown as Monitor]))).rejects.toThrow(TypeError);
  expect(await outcomes(inputOf(1))).toEqual(['violated']);
});

test('an evaluation that is aborted ends with the reason', async () => {
  const controller = new AbortController();
  const asked = outcomes(inputOf(1), controller.signal);
  controller.abort(new Error('the service is stopping'));
  await expect(asked).rejects.toThrow('the service is stopping');
  await expect(outcomes(inputOf(1), controller.signal)).rejects.toThrow('the service is stopping');
  expect(await outcomes(inputOf(1))).toEqual(['violated']);
});
