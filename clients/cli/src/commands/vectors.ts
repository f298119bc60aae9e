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
    .description('Works on vectors as data.')
    .addCommand(checkCommand(shell));
}

function checkCommand(shell: Shell) {
  return new Command('check')
    .summary('say which vectors of a collection or of a file are wrong')
    .description(
      'Reads every point once, and says which vectors and payloads are wrong: zeros, NaN, constants, truncated vectors, duplicates, missing members. ' +
        'Compared with vectors that were good (--against), it also finds those of another model, permuted components, lost and new topics, rounded ' +
        'components and texts that changed without their vector. A file needs no service. A check that could not be made is no pass.',
    )
    .argument('<source>', 'a file (.npy, .parquet, .ndjson, .csv, .fvecs and others), or the name of a collection')
    .option('--against <source>', 'vectors that were good: a file or a collection')
    .addOption(new Option('--format <format>', 'what the files are, where their names do not tell').choices(FORMATS))
    .option('--id <column>', 'the column of the ids; without, `id` if there is one, else rows are numbered')
    .option('--vector <[name=]column>', 'the column of a vector, or a pattern of columns such as pixel*; may be repeated', repeated(named))
    .option('--payload <columns>', 'columns of the payload, by commas; without, all that are neither id nor vector', list)
    .option(
      '--text-member <[vector=]member>',
      'the payload member that a vector is made from; without, it is found; may be repeated',
      repeated(named),
    )
    .option('--delimiter <character>', 'what separates cells of delimited text; without, the first line tells')
    .option('--no-header', 'the first line of delimited text is a row; columns are column0, column1 and so on')
    .option('--limit <n>', 'points to read at most, of either side', wholeNumber({ min: 1 }))
    .option(
      '--fail-on-findings',
      `end with exit code ${EXIT_CODES.below_expectation.code} if something is wrong or unusual, or could not be compared with --against`,
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
