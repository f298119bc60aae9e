// SPDX-License-Identifier: Apache-2.0
/** `sextant bench`: how quickly a collection answers searches, and how much of the truth it finds. */
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Collection, Filter } from '@sextant/sdk';
import { measureRecall, runLoad } from '../bench/search-load.ts';
import { vectorClient } from '../connection/clients.ts';
import { CommandFailure, EXIT_CODES } from '../failure.ts';
import { readVector } from '../points/vector-value.ts';
import type { Shell } from '../shell.ts';
import { count, milliseconds } from '../terminal/figures.ts';
import { jsonObject, seconds as secondsOption, share, wholeNumber } from './option-values.ts';

export function benchCommand(shell: Shell): CommandUnknownOpts {
  const { terminal, clock, signal } = shell;
  return new Command('bench')
    .summary('measure searches: rate, latency and recall')
    .description(
      'Searches with the vectors of randomly chosen points of the collection: first at full load for some seconds, then once each beside an exact ' +
        'search to measure which share of the true hits is found.',
    )
    .argument('<collection>', 'collection to search')
    .option('--queries <n>', 'number of different query vectors', wholeNumber({ min: 1, max: 10_000 }), 100)
    .option('--seconds <n>', 'duration of the load', secondsOption, 10)
    .option('--parallel <n>', 'number of concurrent searches', wholeNumber({ min: 1, max: 1024 }), 8)
    .option('-n, --limit <n>', 'hits per search', wholeNumber({ min: 1 }), 10)
    .option('--ef <n>', 'search width in the graph (hnsw_ef)', wholeNumber({ min: 1 }))
    .option('--using <name>', 'which named vector to search')
    .option('--filter <json>', 'filter that points must match', jsonObject)
    .option('--no-recall', 'skip the exact searches')
    .option('--min-recall <share>', `end with exit code ${EXIT_CODES.below_expectation.code} if the recall is lower`, share)
    .action(async (name, { queries: wanted, seconds, parallel, limit, ef, using, filter, recall: wantsRecall, minRecall }) => {
      const collection = (await vectorClient(shell)).collection(name);
      const queries = await drawn(collection, wanted, using, signal);
      const request = {
        limit,
        params: { ...(ef !== undefined && { hnsw_ef: ef }) },
        ...(using !== undefined && { using }),
        ...(filter !== undefined && { filter: filter as Filter }),
      };
      const load = { collection, queries, request, parallel, seconds, clock, signal };
      const loading = terminal.progress({ label: 'load', unit: 'searches' });
      const figures = await runLoad(load, (done, part) => loading.show({ done, share: part })).finally(loading.end);
      const comparing = terminal.progress({ label: 'recall', unit: 'queries' });
      const recall = wantsRecall
        ? await measureRecall(load, (done, part) => comparing.show({ done, share: part })).finally(comparing.end)
        : undefined;
      const { p50, p90, p99, max } = figures.latency_ms;
      terminal.result(
        { collection: name, queries: queries.length, limit, parallel, ef: ef ?? null, ...figures, recall: recall ?? null },
        () =>
          terminal.table(
            [
              { title: 'searches', align: 'right' },
              { title: 'per second', align: 'right' },
              { title: 'p50 ms', align: 'right' },
              { title: 'p90 ms', align: 'right' },
              { title: 'p99 ms', align: 'right' },
              { title: 'max ms', align: 'right' },
              { title: `recall@${limit}`, align: 'right' },
            ],
            [
              [
                count(figures.searches),
                count(Math.round(figures.per_second)),
                ...[p50, p90, p99, max].map(milliseconds),
                recall?.toFixed(4),
              ],
            ],
          ),
      );
      if (minRecall !== undefined && recall !== undefined && recall < minRecall) {
        terminal.warn(`recall ${recall.toFixed(4)} is below ${minRecall}`);
        shell.setExitCode(EXIT_CODES.below_expectation.code);
      }
    });
}

/** Vectors of points by chance; a point's own vector is a fair query, as it has to be found through the graph like any other. */
async function drawn(
  collection: Collection,
  wanted: number,
  using: string | undefined,
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const points = await collection.query(
    { query: { sample: 'random' }, limit: wanted, with_vector: using === undefined ? true : [using] },
    { signal },
  );
  const vectors = points.flatMap(({ vector }) => {
    const own: unknown = using === undefined ? vector : (vector as { readonly [name: string]: unknown } | undefined)?.[using];
    const read = readVector(own);
    // A list whose first member is a number is one of numbers.
    return Array.isArray(read) && typeof read[0] === 'number' ? [read as readonly number[]] : [];
  });
  if (vectors.length > 0) return vectors;
  throw new CommandFailure('not_found', `${collection.name} has no points with a dense vector to search with`, {
    advice: using === undefined ? 'Pass --using with the name of a vector if the collection has named vectors.' : undefined,
  });
}
