// SPDX-License-Identifier: Apache-2.0
/** How long the vectors of a collection were as they came. */
import type { InputNorms } from '@sextant/contracts-vector';
import { datatypeOf } from '../../model/datatype.ts';
import { INTERVALS_PER_OCTAVE, inputNormsIn } from '../../model/input-norms.ts';
import type { CollectionView } from './collection-view.ts';

export function inputNorms(view: CollectionView): InputNorms {
  const counts = inputNormsIn(view.storage);
  const lengthAt = (interval: number) => 2 ** (interval / INTERVALS_PER_OCTAVE);
  const normalised = view.spaces.filter(({ params }) => params.distance === 'Cosine' && datatypeOf(params) !== 'uint8');
  return {
    vectors: Object.fromEntries(
      normalised.map(({ name, ordinal }) => {
        const intervals = counts[ordinal] ?? [];
        return [
          name,
          {
            written: intervals.reduce((sum, [, written]) => sum + written, 0),
            intervals: intervals.map(([interval, written]) => ({ from: lengthAt(interval), to: lengthAt(interval + 1), written })),
          },
        ];
      }),
    ),
  };
}
