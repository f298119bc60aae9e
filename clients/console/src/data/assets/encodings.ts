// SPDX-License-Identifier: Apache-2.0
import type { AssetOptions } from '@sextant/sdk';

export type Encoding = NonNullable<NonNullable<AssetOptions['reading']>['encoding']>;

/** In which the text of a file can be. */
export const ENCODINGS: readonly Encoding[] = [
  'UTF-8',
  'UTF-16LE',
  'UTF-16BE',
  'WINDOWS-1250',
  'WINDOWS-1251',
  'WINDOWS-1252',
  'WINDOWS-1253',
  'WINDOWS-1254',
  'WINDOWS-1257',
  'ISO-8859-1',
  'ISO-8859-2',
  'SHIFT_JIS',
  'EUC-JP',
  'EUC-KR',
  'BIG5',
  'GBK',
];
