// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { leakedPath } from './leaked-path.ts';

const DIRECTORY = '/tmp/sextant-1';

test.each([
  ['a refusal with a path below the folder', { sent: '/x', status: 500, text: '"open /tmp/sextant-1/a.mdb"' }, true],
  ['a refusal with another path', { sent: '/x', status: 404, text: '"/tmp/other"' }, false],
  [
    'a refusal of a path that the caller has named',
    { sent: '{"location":"file:///tmp/sextant-1/a"}', status: 400, text: '/tmp/sextant-1/a' },
    false,
  ],
  ['an answer', { sent: '/x', status: 200, text: '/tmp/sextant-1/a' }, false],
])('%s', (_name, exchanged, isLeak) => {
  expect(leakedPath(DIRECTORY, exchanged) !== undefined).toBe(isLeak);
});
