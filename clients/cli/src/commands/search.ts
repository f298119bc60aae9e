// SPDX-License-Identifier: Apache-2.0
/** `sextant search`: the points nearest to a vector, to a text, to a point, or to each row of a file. */
import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { JsonObject, PointId, Query, QueryPoints, TypedHit } from '@sextant/sdk';
import { vectorClient } from '../connection/clients.ts';
import { CommandFailure } from '../failure.ts';
import { readVector } from '../points/vector-value.ts';
import { FORMATS, openRows } from '../rows/open-rows.ts';
import type { Shell } from '../shell.ts';
import type { Cell } from '../terminal/table.ts';
import { finite, jsonObject, list, pointId, vector, wholeNumber } from './option-values.ts';

const QUERIES_MAX = 1000;
const QUERIES_PER_REQUEST = 32;
/** Payload keys that get a column each. */
const COLUMNS_MAX = 8;

type Hit = TypedHit<JsonObject>;

export function searchCommand(shell: Shell): CommandUnknownOpts {
  return new Command('search')
    .summary('find the points nearest to a vector, a text, a point, or the rows of a file')
    .description('Finds the nearest points, nearest first: to --vector, to --text, to the point --id, or to each row of --file.')
    .argument('<collection>', 'where to search')
    .option('--vector <numbers>', 'such as [0.1, 0.2] or 0.1,0.2', vector)
    .option('--text <text>', 'a text that --model embeds')
    .option('--model <name>', 'model for the text: a model of the service, or Qdrant/bm25 for sparse vectors')
    .option('--id <id>', 'id of a point in the collection; the point is not among the hits', pointId)
    .option('--file <file>', `rows with vectors (${FORMATS.join(', ')}), one search each`)
    .option('--column <name>', 'column of the file that holds the vectors', 'vector')
    .option('--rows <n>', 'number of rows to read from the file', wholeNumber({ min: 1, max: QUERIES_MAX }), 10)
    .option('--skip <n>', 'number of rows of the file to skip', wholeNumber(), 0)
    .option('--using <name>', 'which named vector to search')
    .option('--filter <json>', 'filter that points must match, such as {"must": [{"key": "color", "match": {"value": "red"}}]}', jsonObject)
    .option('-n, --limit <n>', 'number of hits', wholeNumber({ min: 1 }), 10)
    .option('--offset <n>', 'number of nearest points to skip', wholeNumber(), 0)
    .option('--score-threshold <score>', 'omit hits with a worse score', finite)
    .option('--ef <n>', 'search width in the graph (hnsw_ef): a larger value finds more and takes longer', wholeNumber({ min: 1 }))
    .option('--exact', 'exact search: compare with every point')
    .option('--payload <keys>', 'payload keys to show, separated by commas (default: all)', list)
    .option('--no-payload', 'no payload')
    .option('--with-vector', 'vectors too')
    .action(async (name, options) => {
      const { using, filter, limit, offset, scoreThreshold, ef, exact, payload, withVector } = options;
      const shared: QueryPoints = {
        limit,
        offset,
        with_payload: payload ?? true,
        with_vector: withVector === true,
        ...(filter !== undefined && { filter: filter }),
        ...(using !== undefined && { using }),
        ...(scoreThreshold !== undefined && { score_threshold: scoreThreshold }),
        params: { ...(ef !== undefined && { hnsw_ef: ef }), ...(exact === true && { exact }) },
      };
      const collection = (await vectorClient(shell)).collection(name);
      if (options.file !== undefined) {
        refuseMore(options);
        const answers: (readonly Hit[])[] = [];
        for (const queries of inGroups(await queriesIn(options.file, options.column, options.skip, options.rows), QUERIES_PER_REQUEST)) {
          answers.push(
            ...(await collection.queryBatch(
              queries.map((query) => ({ ...shared, query })),
              { signal: shell.signal },
            )),
          );
        }
        const found = answers.map((hits, index) => ({ row: options.skip + index + 1, hits }));
        shell.terminal.result(found, () => hitTable(shell, found));
        return;
      }
      const hits = await collection.query({ ...shared, query: queryOf(options) }, { signal: shell.signal });
      shell.terminal.result(hits, () => (hits.length === 0 ? 'No point matches.' : hitTable(shell, [{ row: undefined, hits }])));
    });
}

type Wanted = {
  readonly vector?: readonly number[] | undefined;
  readonly id?: PointId | undefined;
  readonly text?: string | undefined;
  readonly model?: string | undefined;
};

function queryOf({ vector: components, id, text, model }: Wanted): Query {
  if ((text === undefined) !== (model === undefined)) {
    throw new CommandFailure('usage', '--text and --model must be passed together', {
      advice: 'For example: sextant search notes --text "lost luggage" --model text-embedding-3-small',
    });
  }
  const document = text === undefined || model === undefined ? undefined : { text, model };
  const [query, more] = [components, id, document].filter((given) => given !== undefined);
  if (query !== undefined && more === undefined) return query;
  throw new CommandFailure('usage', 'a search needs one of --vector, --text, --id and --file', {
    advice: 'For example: sextant search words --id 17 --limit 5',
  });
}

function refuseMore({ vector: components, id, text, model }: Wanted): void {
  if ([components, id, text, model].every((given) => given === undefined)) return;
  throw new CommandFailure('usage', '--file cannot be combined with --vector, --text or --id');
}

async function queriesIn(path: string, column: string, skip: number, rows: number): Promise<readonly (readonly number[])[]> {
  await using source = await openRows(path, { header: true });
  const queries: (readonly number[])[] = [];
  let number = skip;
  for await (const read of source.rows(skip)) {
    number += 1;
    const value = read.kind === 'row' ? readVector(read.row[column]) : undefined;
    if (!isDense(value)) {
      const reason =
        read.kind === 'fault' ? read.reason : `has no list of numbers in ${column}; pass --column with the column that holds the vectors`;
      throw new CommandFailure('bad_data', `${path}: row ${number} ${reason}`);
    }
    queries.push(value);
    if (queries.length === rows) break;
  }
  if (queries.length > 0) return queries;
  throw new CommandFailure('bad_data', `${path} has no rows after the first ${skip}`);
}

function isDense(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((component) => typeof component === 'number');
}

function inGroups<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

type Answer = { readonly row: number | undefined; readonly hits: readonly Hit[] };

function hitTable({ terminal }: Shell, answers: readonly Answer[]): string {
  const keys = [...new Set(answers.flatMap(({ hits }) => hits.flatMap(({ payload }) => Object.keys(payload ?? {}))))].slice(0, COLUMNS_MAX);
  const hasRows = answers.some(({ row }) => row !== undefined);
  const hasVectors = answers.some(({ hits }) => hits.some((hit) => hit.vector !== undefined));
  const columns = [
    ...(hasRows ? [{ title: 'row', align: 'right' as const }] : []),
    { title: 'id', align: 'right' as const },
    { title: 'score', align: 'right' as const },
    ...keys,
    ...(hasVectors ? ['vector'] : []),
  ];
  const lines = answers.flatMap(({ row, hits }) =>
    hits.map(({ id, score, payload, vector: components }): readonly Cell[] => [
      ...(hasRows ? [row] : []),
      String(id),
      Number(score.toPrecision(6)),
      ...keys.map((key) => cellOf(payload?.[key])),
      ...(hasVectors ? [JSON.stringify(components)] : []),
    ]),
  );
  return terminal.table(columns, lines);
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(value, (_key, member) => (typeof member === 'bigint' ? String(member) : member));
  return value as Cell;
}
