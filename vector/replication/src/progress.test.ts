// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { Progress } from './progress.ts';

test('everything up to a position is done once all parts of it and of those before are', () => {
  const progress = new Progress(4);
  expect(progress).toMatchObject({ read: 4, done: 4, pending: 0, pendingBytes: 0 });
  const fifth = progress.begin(5, { parts: 2, bytes: 10 });
  progress.begin(6, { parts: 0, bytes: 1 });
  const seventh = progress.begin(7, { parts: 1, bytes: 30 });
  expect(progress).toMatchObject({ read: 7, done: 4, pending: 2, pendingBytes: 40 });
  seventh();
  expect(progress).toMatchObject({ done: 4, pending: 1, pendingBytes: 10 });
  fifth();
  expect(progress.done).toBe(4);
  fifth();
  expect(progress).toMatchObject({ read: 7, done: 7, pending: 0, pendingBytes: 0 });
});
