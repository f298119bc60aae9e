// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { openMetadata } from '@sextant/observability-metadata';
import { expect, test } from 'vitest';
import { deriveKeys, OtherKeyError, requireSameKeys } from './keys.ts';

test('one secret gives the same keys again, each of 256 bits and none like another', () => {
  const [one, again, other] = [deriveKeys('a'.repeat(32)), deriveKeys('a'.repeat(32)), deriveKeys('b'.repeat(32))];
  expect(one).toEqual(again);
  expect(one.credentials).toHaveLength(32);
  expect(one.credentials).not.toEqual(one.accessTokens);
  expect(one.credentials).not.toEqual(other.credentials);
});

test('a store is not opened with another secret than the one that it was written with', async () => {
  await using directory = await temporaryDirectory();
  const keys = deriveKeys('a'.repeat(32));
  await using metadata = await openMetadata(
    { directory: directory.path },
    { clock: systemClock, randomBytes, encryptionKey: keys.credentials },
  );
  await requireSameKeys(metadata.platform, keys);
  await requireSameKeys(metadata.platform, keys);
  await expect(requireSameKeys(metadata.platform, deriveKeys('b'.repeat(32)))).rejects.toThrow(OtherKeyError);
});
