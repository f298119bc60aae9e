// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { requireFollowable } from './asset-options.ts';

test('a light scan of a vector collection is refused, for there is none', () => {
  expect(() => requireFollowable({ type: 'VECTOR_COLLECTION', payload: {}, options: { only_light_scan: 'true' } }, undefined)).toThrow(
    'options.only_light_scan: a vector collection has no light scan; leave it out',
  );
  expect(() =>
    requireFollowable({ type: 'VECTOR_COLLECTION', payload: {}, options: { only_light_scan: 'false', limit: 5 } }, undefined),
  ).not.toThrow();
  expect(() => requireFollowable({ type: 'UPLOAD', payload: {}, options: { only_light_scan: 'true' } }, undefined)).not.toThrow();
});
