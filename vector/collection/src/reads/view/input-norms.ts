// SPDX-License-Identifier: Apache-2.0
/** How long the vectors of a collection were as they came. */
import type { InputNorms } from '@sextant/contracts-vector';
import { INPUT_NORMS } from '../../model/collection-documents.ts';
import { datatypeOf } from '../../model/datatype.ts';
import { type InputNorms as Counts, INTERVALS_PER_OCTAVE } from '../../model/input-norms.ts';
import type { CollectionView } from './collection-view.ts';

export function inputNorms(view: CollectionView): InputNorms {
  // `CollectionWriter` wrote it, or there is none yet.
  const counts = (view.storage.document(INPUT_NORMS) as Counts | undefined) ?? {};
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
