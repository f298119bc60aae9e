// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { isSimplifiedChinese } from './simplified-chinese.ts';

// The bytes of each are what its own encoding gave its characters.
test.each([
  [
    'Chinese in GBK',
    'b1b1bea9cad0b3afd1f4c7f80ad6d0bbaac8cbc3f1b9b2bacdb9fa0ac9cfbaa3cad0c6d6b6abd0c2c7f80ad5c5ceb020d4c6c4cfcaa1d3f1cfaacad00ad3d0cfded4f0c8ceb9abcbbe0ad0ecd6ddd6d0d1a7',
    true,
  ],
  ['Korean in EUC-KR', 'c7d1b1b9beee20bdc3c7e80abcadbfefc6afbab0bdc320b0adb3b2b1b80ab1e8c3b6bcf6', false],
  ['Japanese in EUC-JP', 'c5ecb5fec5d4bdc2c3abb6e80ac2e7bae5c9dcc2e7bae5bbd4cbccb6e8c7dfc5c40abbb3c5c4c2c0cfba', false],
  ['Greek capitals in Windows-1253', 'c1c8c7cdc1c2d3d4cfd3d0c5c9d1c1c9c1d30ac8c5d3d3c1cbcfcdc9cac7d3', false],
  ['Russian in KOI8-R', 'd0d2c9d7c5d40acdcfd3cbd7c1d40ad3c1cecbd4', false],
  ['one word', 'b1b1bea9', false],
  ['nothing', '', false],
])('%s', (_, hex, expected) => {
  expect(isSimplifiedChinese(Buffer.from(hex, 'hex'))).toBe(expected);
});
