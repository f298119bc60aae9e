// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { findPostgresBinaries } from './postgres-binaries.ts';

test('a folder of PATH without the server is passed over', () => {
  expect(findPostgresBinaries('/nowhere')).toBe(findPostgresBinaries(''));
});
