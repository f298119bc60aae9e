// SPDX-License-Identifier: Apache-2.0
/** The page that the results make. What was tried, and why a fault is missed, is told by hand in docs/design/vector-quality.md. */
import { table } from '../bench/markdown.ts';
import { FAULTS } from './faults.ts';
import { HISTORY_DAYS, type PieceResult, POINTS, titleOf } from './piece.ts';

/** With it the measures were chosen; the other seeds report. */
const CHOICE_SEED = 11;

const REAL_TEXTS = `The real texts are some 12,000 paragraphs of the documentation of the installed packages, from 201 folders, and their vectors by all-MiniLM-L6-v2 (384 dimensions, 8-bit weights), computed by the vector service. A folder is a topic; paragraphs are unique.

`;

export function qualityPage(results: readonly PieceResult[]): string {
  return `# Benchmark of faults in vectors

Written by \`npm run bench:vector-quality -- --full\` from the results in \`docs/reference/benchmarks/vector-quality.json\`; \`-- --page\` writes it again without a run. [How vectors are watched](../concepts/vector-quality.md) explains the metrics,
[monitoring vectors: what was tried](../design/vector-quality.md) explains which variants were measured and why some faults are missed.

The benchmark makes a collection of ${POINTS.toLocaleString('en')} embeddings from a seed: 40 topics, 384 dimensions of which 24 carry a topic, and texts that match the vectors. The collection changes for ${HISTORY_DAYS} days: on each, 5 to 20 % of
the points are replaced, up to 0.6 % are added, and the frequencies of topics vary at random. Then one fault is injected into a share of the points. A fault counts as raised if a pre-built monitor of the asset opens an incident. Scan and evaluation are
the service's own code; the collection and its index are simulated in memory. The named vectors are \`text\` (384 dimensions), into which faults are injected, and \`title\` (128).

${results.some(({ vectorSet }) => vectorSet === 'real') ? REAL_TEXTS : ''}The metrics were chosen with seed ${CHOICE_SEED}; the results of the other seeds were not seen before they were reported. A seed determines the collection, its changes and the faulty points.

${resultTables(results)}`;
}

/** Without a word on how they came about. */
export function resultTables(results: readonly PieceResult[]): string {
  const levels = [...new Set(results.map(({ level }) => level))].toSorted((one, other) => one - other);
  return [...levels.map((level) => faultsOf(level, results)), cleanDays(results), costOf(results)].join('\n\n');
}

function faultsOf(level: number, all: readonly PieceResult[]): string {
  const collections = byCollection(all.filter((result) => result.level === level));
  const cells = (fault: string) => collections.map(([, results]) => cellOf(fault, results));
  const names = FAULTS.map(({ name }) => name).filter((name) =>
    collections.some(([, results]) => results.some(({ raised }) => raised[name])),
  );
  return [
    `## Faults in ${100 * level} % of the points`,
    'Each cell says with which seeds the fault raised an incident.',
    table(
      ['fault', ...collections.map(([title]) => title)],
      [['seeds', ...collections.map(([, results]) => seedsOf(results))], ...names.map((name) => [name, ...cells(name)])],
    ),
  ].join('\n\n');
}

function cellOf(fault: string, results: readonly PieceResult[]): string {
  const measured = results.filter(({ raised }) => raised[fault] !== undefined);
  const missed = measured.filter(({ raised }) => raised[fault]?.length === 0);
  if (measured.length === 0) return 'not measured';
  if (missed.length === measured.length) return 'no';
  return missed.length === 0 ? 'yes' : `${measured.length - missed.length} of ${measured.length}, not ${seedsOf(missed)}`;
}

function cleanDays(results: readonly PieceResult[]): string {
  // A seed lives through the same days that teach at each level.
  const longest = new Map<string, PieceResult>();
  for (const result of results) {
    const key = `${titleOf(result)} ${result.seed}`;
    if ((longest.get(key)?.cleanDays ?? -1) < result.cleanDays) longest.set(key, result);
  }
  const collections = byCollection([...longest.values()]);
  const daysOf = (each: readonly PieceResult[]) => each.reduce((sum, result) => sum + HISTORY_DAYS + result.cleanDays, 0);
  const falseOf = (each: readonly PieceResult[]) => each.reduce((sum, { falseIncidents }) => sum + falseIncidents.length, 0);
  const rows = [...collections, ['all', [...longest.values()]] as const].map(([title, each]) => [
    title,
    seedsOf(each),
    String(daysOf(each)),
    String(falseOf(each)),
  ]);
  const told = collections.flatMap(([title, each]) =>
    each.flatMap(({ seed, falseIncidents }) => falseIncidents.map((sentence) => `- ${title}, seed ${seed}: ${sentence}`)),
  );
  const heading = '## Clean days\n\nEach clean day is a scan that should raise no incident.';
  return [
    heading,
    table(['collection', 'seeds', 'clean days', 'false incidents'], rows),
    ...(told.length > 0 ? [told.join('\n')] : []),
  ].join('\n\n');
}

function costOf(results: readonly PieceResult[]): string {
  const seconds = results.reduce((sum, { processorSeconds }) => sum + processorSeconds, 0);
  const megabytes = Math.max(0, ...results.map(({ peakMegabytes }) => peakMegabytes));
  return `The runs took ${seconds.toLocaleString('en')} s of processor time and at most ${megabytes} MB of memory.\n`;
}

function byCollection(results: readonly PieceResult[]): readonly (readonly [string, readonly PieceResult[]])[] {
  return [...Map.groupBy(results, titleOf)].toSorted(([one], [other]) => placeOf(one) - placeOf(other) || (one < other ? -1 : 1));
}

/** Those made from a seed come before those of real texts. */
function placeOf(title: string): number {
  return title.endsWith('real') ? 1 : 0;
}

function seedsOf(results: readonly PieceResult[]): string {
  const seeds = [...new Set(results.map(({ seed }) => seed))];
  return seeds.toSorted((one, other) => one - other).join(', ');
}
