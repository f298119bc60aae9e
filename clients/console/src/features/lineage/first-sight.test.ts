// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { AssetRow } from '../../data/assets/asset-rows.ts';
import { firstSight } from './first-sight.ts';

const NONE = { high: 0, medium: 0, low: 0, unrated: 0, total: 0 };

/** Of each asset comes the next. */
function chain(count: number, open: { readonly [place: number]: Partial<typeof NONE> } = {}): readonly AssetRow[] {
  return Array.from({ length: count }, (_, place) => {
    const asset = {
      id: `a${place}`,
      parents: place === 0 ? [] : [`a${place - 1}`],
      children: place === count - 1 ? [] : [`a${place + 1}`],
    };
    // What else is known of an asset has no say.
    return { asset, open: { ...NONE, ...open[place] } } as unknown as AssetRow;
  });
}

test('a small graph is seen whole, a large one about the asset with the highest impact open', () => {
  expect(firstSight(chain(3), undefined, undefined)).toEqual({ ids: ['a0', 'a1', 'a2'], isLarge: false });
  const rows = chain(100, { 20: { unrated: 500 }, 50: { high: 1 }, 70: { medium: 999 } });
  expect(firstSight(rows, undefined, undefined)).toEqual({ ids: ['a50'], isLarge: true });
});

test('the chosen asset is seen with all that belongs to it, or alone where that is too much', () => {
  const rows = chain(100, { 50: { high: 1 } });
  expect(firstSight(rows, 'a7', new Set(['a6', 'a7', 'a8']))).toEqual({ ids: ['a6', 'a7', 'a8'], isLarge: true });
  expect(firstSight(rows, 'a7', new Set(rows.map(({ asset }) => asset.id)))).toEqual({ ids: ['a7'], isLarge: true });
});
