// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { NODE, placesOf } from './graph-layout.ts';

test('what comes of something stands to its right, and nothing stands on another', () => {
  const ids = Array.from({ length: 60 }, (_, i) => `a${i}`);
  const edges = ids.slice(1).map((to, i) => ({ from: `a${Math.floor(i / 3)}`, to }));
  const places = placesOf(ids, edges);
  const at = (id: string) => places.get(id) ?? { x: Number.NaN, y: Number.NaN };
  for (const { from, to } of edges) expect(at(from).x + NODE.width).toBeLessThan(at(to).x);
  for (const [i, one] of ids.entries()) {
    for (const other of ids.slice(i + 1)) {
      const apart = Math.abs(at(one).x - at(other).x) >= NODE.width || Math.abs(at(one).y - at(other).y) >= NODE.height;
      expect(apart, `${one} and ${other}`).toBe(true);
    }
  }
});
