// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { addressesOf } from './channel-kinds.ts';

test.each([
  ['', []],
  ['a@example.com', ['a@example.com']],
  ['  https://example.com/a,b \r\n\n https://example.com/c\n', ['https://example.com/a,b', 'https://example.com/c']],
])('the lines of %j', (text, addresses) => {
  expect(addressesOf(text)).toEqual(addresses);
});
