// SPDX-License-Identifier: Apache-2.0
/** What happens to a healthy collection from one day to the next: points are exchanged, some more come, and what is written about changes a little. */
import type { Random } from '@sextant/foundation-std';
import { type EmbeddedPoint, type EmbeddingCorpus, gaussian } from './embedding-corpus.ts';

const EXCHANGED_LEAST = 0.05;
const EXCHANGED_MOST = 0.2;
const GROWTH_MOST = 0.006;
/** Of the logarithm of a topic's weight. */
const MIX_SPREAD = 0.2;

export type DailyLife = { readonly points: () => readonly EmbeddedPoint[]; readonly nextDay: () => void };

export function dailyLife(corpus: EmbeddingCorpus, count: number, random: Random): DailyLife {
  let nextId = count;
  let points = Array.from({ length: count }, (_, id) => corpus.draw(id));
  return {
    points: () => points,
    nextDay: () => {
      const mix = corpus.topics.map((usual) => Math.exp(MIX_SPREAD * gaussian(random)) * usual);
      const exchanged = EXCHANGED_LEAST + (EXCHANGED_MOST - EXCHANGED_LEAST) * random.next();
      const more = Math.round(GROWTH_MOST * random.next() * points.length);
      const fresh = () => {
        nextId += 1;
        return corpus.draw(nextId, mix);
      };
      points = [...points.map((point) => (random.next() < exchanged ? fresh() : point)), ...Array.from({ length: more }, fresh)];
    },
  };
}
