// SPDX-License-Identifier: Apache-2.0
import type { Monitor } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import type { Violation } from '@sextant/observability-monitors';
import type { ScanLimits } from '@sextant/observability-scan';
import { dailyLife } from './daily-life.ts';
import { documentationCorpus } from './documentation-corpus.ts';
import { embeddingCorpus } from './embedding-corpus.ts';
import { FAULTS } from './faults.ts';
import { HISTORY_DAYS, type Piece, type PieceResult, POINTS, titleOf, VECTOR_SETS } from './piece.ts';
import { storedCollection, writtenNorms } from './stored-collection.ts';
import { watchedCollection } from './watched-collection.ts';

type RunOptions = {
  readonly directory: string;
  readonly monitors: readonly Monitor[];
  readonly onProgress: (line: string) => void;
};

export async function runPiece(piece: Piece, { directory, monitors, onProgress }: RunOptions): Promise<PieceResult> {
  const { distance, vectorSet, seed, level, faults, cleanDays } = piece;
  const before = process.cpuUsage();
  const dimensions = VECTOR_SETS[vectorSet];
  const corpus = vectorSet === 'real' ? await documentationCorpus(seed, { directory, onProgress }) : embeddingCorpus(seed, dimensions);
  const life = dailyLife(corpus, POINTS, seededRandom(seed));
  const watched = watchedCollection(monitors, limitsOf(directory));
  const written = writtenNorms();
  const title = `${titleOf(piece)}, seed ${seed}`;
  const falseIncidents: string[] = [];
  const live = async (days: number) => {
    for (let day = 0; day < days; day += 1) {
      const found = sentencesOf(await watched.scan(storedCollection(life.points(), distance, { written })));
      written.add(life.points());
      if (found.length > 0) onProgress(`${title}, a clean day: ${found.join('; ')}`);
      falseIncidents.push(...found);
      life.nextDay();
    }
  };
  await live(HISTORY_DAYS);
  const raised: Record<string, readonly string[]> = {};
  const [vector = ''] = Object.keys(dimensions);
  for (const fault of FAULTS.filter(({ name }) => faults.includes(name))) {
    const spoilt = fault.spoil(life.points(), { corpus, vector, share: level, random: seededRandom(seed + 1) });
    const lost = fault.isOfIndex === true ? level : 0;
    const collection = storedCollection(spoilt, distance, { isIndexed: ({ id }) => spread(id) >= lost, written });
    const found = sentencesOf(await watched.judge(collection));
    onProgress(`${title}, ${fault.name} ${100 * level} %: ${found.length === 0 ? 'nothing' : found.join('; ')}`);
    raised[fault.name] = found;
  }
  await live(cleanDays);
  onProgress(`${title}: ${falseIncidents.length} false incidents in ${HISTORY_DAYS + cleanDays} clean days`);
  const { user, system } = process.cpuUsage(before);
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  return { ...piece, raised, falseIncidents, processorSeconds: Math.round((user + system) / 1e6), peakMegabytes };
}

/** Ids over 0 to 1, as evenly as the golden ratio spreads them. */
function spread(id: number): number {
  return (id * 0.6180339887498949) % 1;
}

/** One of each monitor, as it opens one incident. */
function sentencesOf(violations: readonly Violation[]): readonly string[] {
  return [...new Map(violations.toReversed().map(({ monitor_id, sentence }) => [monitor_id, sentence])).values()];
}

function limitsOf(directory: string): ScanLimits {
  return { memoryBytes: 2 ** 30, temporaryDirectory: directory, temporaryBytes: 2 ** 30, threads: 1, timeoutMs: 600_000 };
}
