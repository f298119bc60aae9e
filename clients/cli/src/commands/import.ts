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
      'Reads rows and upserts them as points, in batches and in bounded memory. A state file records the acknowledged rows, so the same command ' +
        'continues an import that ended early.',
    )
    .argument('<collection>', 'whereto')
    .argument('<file>', 'the file, or - for standard input; text formats may be compressed (.gz, .zst)')
    .addOption(new Option('--format <format>', 'format of the file (default: that of the file name)').choices(FORMATS))
    .option(
      '--with <[name=]file>',
      'another file whose rows belong to the same points, such as label=labels.npy; may be repeated',
      repeated(named),
    )
    .option('--id <column>', 'column of the ids (default: `id` if it exists, else row numbers)')
    .option('--first-id <n>', 'id of the first row if row numbers serve as ids', wholeNumber(), 0)
    .option('--vector <[name=]column>', 'column of a vector, or a pattern of columns such as pixel*; may be repeated', repeated(named))
    .option(
      '--embed <[name=]column>',
      'column of texts that --model embeds; the text stays in the payload; may be repeated',
      repeated(named),
    )
    .option('--model <name>', 'model for --embed: a model of the service, or Qdrant/bm25 for sparse vectors')
    .option(
      '--payload <columns>',
      'columns of the payload, separated by commas (default: all columns that are neither id nor vector)',
      list,
    )
    .option('--no-payload', 'no payload')
    .option('--text <columns>', 'columns of delimited text that stay strings even if they look like numbers', list)
    .option('--delimiter <character>', 'separator of delimited text (default: detected in the first line)')
    .option('--no-header', 'the first line of delimited text is a row; columns are named column0, column1 and so on')
    .option('--create', 'create the collection if there is none, its vectors sized as the first row is')
    .addOption(new Option('--distance <distance>', 'distance of the created collection').choices(DISTANCES).default('Cosine' as const))
    .option('--config <json>', 'further members of the request that creates the collection', jsonObject)
    .option('--batch <n>', 'points per request', wholeNumber({ min: 1, max: 10_000 }), BATCH_ROWS)
    .option('--parallel <n>', 'number of concurrent requests', wholeNumber({ min: 1, max: 32 }), BATCHES_IN_FLIGHT)
    .addOption(
      new Option('--on-error <what>', 'what to do with a row that gives no point or that the service refuses')
        .choices(['stop', 'skip'] as const)
        .default('stop' as const),
    )
    .option('--limit <n>', 'maximum number of rows to read', wholeNumber({ min: 1 }))
    .option('--state <file>', 'where progress is noted; without, beside the file')
    .option('--no-state', 'do not record progress')
    .option('--restart', 'discard recorded progress and start with the first row')
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
    throw new CommandFailure('usage', '--embed and --model must be passed together', {
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
