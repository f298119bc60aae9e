// SPDX-License-Identifier: Apache-2.0
/** Schemas of distance matrices: how near the points of a sample are to each other. */
import { maybe, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { filterSchema } from './filter-schema.ts';
import { pointIdSchema } from './point-id.ts';
import { vectorNameSchema } from './point-schemas.ts';
import { shardKeySelectorSchema } from './shard-key-schemas.ts';

/** Points of a sample; each is compared with each. */
const SAMPLE_MAX = 10_000;
/** Pairs of one answer. */
const PAIRS_MAX = 1_000_000;

/** The published defaults. */
export const MATRIX_DEFAULTS = { sample: 10, limit: 3 } as const;

type Bounds = { readonly sample?: number | null; readonly limit?: number | null };

const pairsOf = ({ sample, limit }: Bounds) => (sample ?? MATRIX_DEFAULTS.sample) * (limit ?? MATRIX_DEFAULTS.limit);

export const searchMatrixSchema = Type.Refine(
  strict(
    {
      sample: maybe(Type.Integer({ minimum: 2, maximum: SAMPLE_MAX })),
      limit: maybe(Type.Integer({ minimum: 1, maximum: SAMPLE_MAX })),
      filter: maybe(filterSchema),
      using: maybe(vectorNameSchema),
      shard_key: maybe(shardKeySelectorSchema),
    },
    { title: 'SearchMatrix' },
  ),
  (bounds) => pairsOf(bounds) <= PAIRS_MAX,
  (bounds) => `\`sample\` times \`limit\` is ${pairsOf(bounds)}; one answer holds at most ${PAIRS_MAX} pairs, so ask for fewer of either`,
);

/** Null where the score is beyond what JSON can write. */
const score = Type.Union([Type.Number(), Type.Null()]);

export const matrixPairsResultSchema = Type.Object(
  { pairs: Type.Array(Type.Object({ a: pointIdSchema, b: pointIdSchema, score }, { title: 'SearchMatrixPair' })) },
  { title: 'SearchMatrixPairs' },
);
/** Two points of a sample, of which the second is one of the nearest to the first. */
export type MatrixPair = Static<typeof matrixPairsResultSchema>['pairs'][number];

const positions = Type.Array(Type.Integer({ minimum: 0 }));

export const matrixOffsetsResultSchema = Type.Object(
  { offsets_row: positions, offsets_col: positions, scores: Type.Array(score), ids: Type.Array(pointIdSchema) },
  { title: 'SearchMatrixOffsets' },
);
/** The same pairs by the positions of their points in `ids`. */
export type MatrixOffsets = Static<typeof matrixOffsetsResultSchema>;
