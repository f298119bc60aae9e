// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { clusterSentence, detailsOf, sparkSentence } from './scan-job.ts';

const SCAN = { recordsScanned: 9, rejectedRows: 0, failures: [], omissions: [], metrics: [] };

test.each([
  [{}, '9 records scanned, 0 values measured.'],
  [{ rejectedRows: 1 }, '9 records scanned, 0 values measured; 1 row was rejected.'],
  [
    { failures: [{ monitor_id: '7', reason: 'a is gone' }] },
    '9 records scanned, 0 values measured. `positive` could not be measured: a is gone.',
  ],
  [
    {
      failures: [
        { monitor_id: '7', reason: 'prise is not an attribute; did you mean price?' },
        { monitor_id: 'PROCESS', reason: 'a is gone' },
      ],
    },
    '9 records scanned, 0 values measured. `positive` could not be measured: prise is not an attribute; did you mean price? ' +
      '`PROCESS` could not be measured: a is gone.',
  ],
  [
    { omissions: ['Which rows made a change could not be computed: no room is left'] },
    '9 records scanned, 0 values measured. Which rows made a change could not be computed: no room is left.',
  ],
])('the details of a scan say what it left out: %j', (more, details) => {
  expect(detailsOf({ ...SCAN, ...more }, [{ id: '7', name: 'positive' }])).toBe(details);
});

test.each([
  [{ stages: 1, tasks: 1, tasksDone: 0, bytesRead: 0 }, 'Spark runs a statement: 0 of 1 tasks in 1 stage.'],
  [
    { stages: 3, tasks: 400, tasksDone: 120, bytesRead: 1_200_000_001 },
    'Spark runs a statement: 120 of 400 tasks in 3 stages, 1201 MB read.',
  ],
])('how far Spark is stands in the job: %j', (progress, sentence) => {
  expect(sparkSentence(progress)).toBe(sentence);
});

test('a job says which cluster it waits for', () => {
  expect(clusterSentence({ name: 'sextant-1', state: 'PENDING' })).toBe('Waiting for cluster sextant-1: state PENDING.');
});
