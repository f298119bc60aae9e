// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { chooseEngine } from './engine-choice.ts';

const LARGE = { bytes: 2001, boundBytes: 2000, onlyHere: undefined, spark: 'lake' };
const BOUND = 'the limit of 2,000 above which Spark scans files';

test.each([
  [{}, 'spark', `Scanned by Spark (connection lake): 2,001 bytes are more than ${BOUND}.`],
  [{ bytes: 2000 }, 'service', `Scanned by the service: 2,000 bytes are within ${BOUND}.`],
  [
    { spark: undefined },
    'service',
    `Scanned by the service: 2,001 bytes are more than ${BOUND}, but the project has no connection of a Spark that sees the file.`,
  ],
  [{ onlyHere: 'it is text' }, 'service', `Scanned by the service: 2,001 bytes are more than ${BOUND}, but it is text.`],
])('the engine of a file: %j', (change, engine, reason) => {
  expect(chooseEngine({ ...LARGE, ...change })).toEqual({ engine, reason });
});
