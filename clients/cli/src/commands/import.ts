// SPDX-License-Identifier: Apache-2.0
/** `sextant import`: a file's rows as points of a collection. */
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { CommandFailure } from '../failure.ts';
import type { VectorColumn } from '../points/column-mapping.ts';
import { FORMATS } from '../rows/open-rows.ts';
import type { Shell } from '../shell.ts';
import { DISTANCES } from './collections.ts';
import { jsonObject, list, named, repeated, wholeNumber } from './option-values.ts';

const BATCH_ROWS = 500;
const BATCHES_IN_FLIGHT = 2;

export function importCommand(shell: Shell): CommandUnknownOpts {
  return new Command('import')
    .summary('read points from a file into a collection')
    .description(
      'Reads rows and upserts them as points, in batches and in bounded memory. What was acknowledged is noted in a state file, so the same command ' +
        'goes on where an import ended early.',
    )
    .argument('<collection>', 'whereto')
    .argument('<file>', 'the file, or - for standard input; .gz and .zst of text formats are unpacked')
    .addOption(new Option('--format <format>', 'what the file is, where its name does not tell').choices(FORMATS))
    .option(
      '--with <[name=]file>',
      'a further file whose rows belong to the same points, such as label=labels.npy; may be repeated',
      repeated(named),
    )
    .option('--id <column>', 'the column of the ids; without, `id` if there is one, else rows are numbered')
    .option('--first-id <n>', 'the id of the first row where rows are numbered', wholeNumber(), 0)
    .option('--vector <[name=]column>', 'the column of a vector, or a pattern of columns such as pixel*; may be repeated', repeated(named))
    .option(
      '--embed <[name=]column>',
      'a column of texts, of which --model makes a vector; the text stays in the payload; may be repeated',
      repeated(named),
    )
    .option('--model <name>', 'the model for --embed: one that the service has, or Qdrant/bm25 for sparse vectors')
    .option('--payload <columns>', 'columns of the payload, by commas; without, all that are neither id nor vector', list)
    .option('--no-payload', 'no payload')
    .option('--text <columns>', 'columns of delimited text that stay text although they look like numbers', list)
    .option('--delimiter <character>', 'what separates cells of delimited text; without, the first line tells')
    .option('--no-header', 'the first line of delimited text is a row; columns are column0, column1 and so on')
    .option('--create', 'create the collection if there is none, its vectors sized as the first row is')
    .addOption(new Option('--distance <distance>', 'of the created collection').choices(DISTANCES).default('Cosine' as const))
    .option('--config <json>', 'further members of the request that creates it', jsonObject)
    .option('--batch <n>', 'points in a request', wholeNumber({ min: 1, max: 10_000 }), BATCH_ROWS)
    .option('--parallel <n>', 'requests at a time', wholeNumber({ min: 1, max: 32 }), BATCHES_IN_FLIGHT)
    .addOption(
      new Option('--on-error <what>', 'what to do with a row that gives no point, or one that the service refuses')
        .choices(['stop', 'skip'] as const)
        .default('stop' as const),
    )
    .option('--limit <n>', 'rows to read at most', wholeNumber({ min: 1 }))
    .option('--state <file>', 'where progress is noted; without, beside the file')
    .option('--no-state', 'note no progress')
    .option('--restart', 'forget noted progress and begin with the first row')
    .action(async (collection, file, { with: beside, vector, embed, model, payload, header, delimiter, format, state, ...options }) => {
      const { runImport } = await import('../importing/run-import.ts');
      await runImport(shell, {
        collection,
        file,
        beside: (beside ?? []).map(({ name, value }) => ({ name, path: value })),
        reading: { format, delimiter, header },
        mapping: {
          id: options.id,
          vectors: [...(vector ?? []).map(({ name, value }) => ({ name, column: value })), ...embeddedColumns(embed ?? [], model)],
          payload: payloadColumns(payload),
          text: options.text ?? [],
          firstId: options.firstId,
        },
        creation: options.create === true ? { distance: options.distance, config: options.config ?? {} } : undefined,
        batchRows: options.batch,
        batchesInFlight: options.parallel,
        onFault: options.onError,
        limit: options.limit,
        statePath: state === false ? undefined : typeof state === 'string' ? state : `${file}.sextant-import`,
        restart: options.restart === true,
      });
    });
}

type Named = ReturnType<typeof named>;

function embeddedColumns(columns: readonly Named[], model: string | undefined): readonly VectorColumn[] {
  if ((columns.length === 0) !== (model === undefined)) {
    throw new CommandFailure('usage', '--embed and --model belong together', {
      advice: 'For example: sextant import notes notes.csv --embed body --model text-embedding-3-small',
    });
  }
  return columns.map(({ name, value }) => ({ name, column: value, model }));
}

/** `--no-payload` gives false. */
function payloadColumns(given: readonly string[] | boolean | undefined): readonly string[] | undefined {
  if (given === false) return [];
  return given === true ? undefined : given;
}
