// SPDX-License-Identifier: Apache-2.0
/** A piece of the benchmark: one collection of one seed, its faults at one level, and some clean days. Each can be run, kept and reported alone. */
import { FAULTS } from './faults.ts';
import type { Distance } from './stored-collection.ts';

export const DISTANCES: readonly Distance[] = ['Cosine', 'Dot', 'Euclid'];

/** Dimensions by vector name; the first goes wrong. `real` are paragraphs and a model, the others are made from a seed. */
export const VECTOR_SETS = { dense: { '': 384 }, named: { text: 384, title: 128 }, real: { '': 384 } } as const;

export type VectorSet = keyof typeof VECTOR_SETS;

/** Days that teach before a fault comes. */
export const HISTORY_DAYS = 10;
export const POINTS = 4000;

export type Piece = {
  readonly distance: Distance;
  readonly vectorSet: VectorSet;
  readonly seed: number;
  /** Share of the points, 0 to 1. */
  readonly level: number;
  /** Names. */
  readonly faults: readonly string[];
  /** After the days that teach and the faults, of which nothing is remembered. */
  readonly cleanDays: number;
};

export type PieceResult = Piece & {
  /** By fault, what the monitors said of it; nothing where it was not raised. */
  readonly raised: { readonly [fault: string]: readonly string[] };
  /** What the monitors said on clean days, those that teach among them. */
  readonly falseIncidents: readonly string[];
  readonly processorSeconds: number;
  readonly peakMegabytes: number;
};

export type Plan = {
  readonly distances: readonly Distance[];
  readonly vectorSets: readonly VectorSet[];
  readonly seeds: readonly number[];
  readonly levels: readonly number[];
  readonly faults: readonly string[];
  readonly cleanDays: number;
};

/** Clean days are lived through once for each collection and seed, with the first level. */
export function piecesOf({ distances, vectorSets, seeds, levels, faults, cleanDays }: Plan): readonly Piece[] {
  return seeds.flatMap((seed) =>
    levels.flatMap((level, place) =>
      distances.flatMap((distance) =>
        vectorSets.map((vectorSet) => ({ distance, vectorSet, seed, level, faults, cleanDays: place === 0 ? cleanDays : 0 })),
      ),
    ),
  );
}

/** Unique among pieces, and fit to name a file. */
export function nameOf({ distance, vectorSet, seed, level, faults, cleanDays }: Piece): string {
  const places = FAULTS.flatMap(({ name }, place) => (faults.includes(name) ? [place] : []));
  const part = places.length === FAULTS.length ? 'all' : places.join('-');
  return `${distance}-${vectorSet}-seed-${seed}-level-${level}-faults-${part}-days-${cleanDays}`;
}

export function titleOf({ distance, vectorSet }: Pick<Piece, 'distance' | 'vectorSet'>): string {
  return `${distance}, ${vectorSet}`;
}
