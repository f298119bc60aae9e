// SPDX-License-Identifier: Apache-2.0
/** `sextant vectors`: what is wrong with vectors, of a collection or of a file, with or without a service. */
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { EXIT_CODES } from '../failure.ts';
import { FORMATS } from '../rows/open-rows.ts';
import type { Shell } from '../shell.ts';
import { list, named, repeated, wholeNumber } from './option-values.ts';

export function vectorsCommand(shell: Shell): CommandUnknownOpts {
  return new Command('vectors')
    .summary('check vectors for faults')
    .description('Checks the quality of vectors.')
    .addCommand(checkCommand(shell));
}

function checkCommand(shell: Shell) {
  return new Command('check')
    .summary('find faulty vectors in a collection or a file')
    .description(
      'Reads every point once and reports faulty vectors and payloads: zeros, NaN, constants, truncated vectors, duplicates, missing members. ' +
        'With known good vectors to compare with (--against), it also finds vectors of another model, permuted components, lost and new topics, rounded ' +
        'components, and texts that changed without their vector. Checking a file needs no service. A check that could not run does not count as passed.',
    )
    .argument('<source>', 'a file (.npy, .parquet, .ndjson, .csv, .fvecs and others), or the name of a collection')
    .option('--against <source>', 'known good vectors to compare with: a file or a collection')
    .addOption(new Option('--format <format>', 'format of the files (default: that of the file names)').choices(FORMATS))
    .option('--id <column>', 'column of the ids (default: `id` if it exists, else row numbers)')
    .option('--vector <[name=]column>', 'column of a vector, or a pattern of columns such as pixel*; may be repeated', repeated(named))
    .option(
      '--payload <columns>',
      'columns of the payload, separated by commas (default: all columns that are neither id nor vector)',
      list,
    )
    .option(
      '--text-member <[vector=]member>',
      'payload member whose text a vector embeds (default: detected); may be repeated',
      repeated(named),
    )
    .option('--delimiter <character>', 'separator of delimited text (default: detected in the first line)')
    .option('--no-header', 'the first line of delimited text is a row; columns are named column0, column1 and so on')
    .option('--limit <n>', 'maximum number of points to read from each side', wholeNumber({ min: 1 }))
    .option(
      '--fail-on-findings',
      `end with exit code ${EXIT_CODES.below_expectation.code} if a check finds a fault or something unusual, or cannot be compared with --against`,
    )
    .action(async (source, { against, format, delimiter, header, vector, id, payload, textMember, limit, failOnFindings }) => {
      const { runVectorCheck } = await import('../checking/run-vector-check.ts');
      await runVectorCheck(shell, {
        source,
        against,
        reading: { format, delimiter, header },
        mapping: { id, vectors: (vector ?? []).map(({ name, value }) => ({ name, column: value })), payload },
        textMembers: Object.fromEntries((textMember ?? []).map(({ name = '', value }) => [name, value])),
        limit,
        failOnFindings: failOnFindings === true,
      });
    });
}
