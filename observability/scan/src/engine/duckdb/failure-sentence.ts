// SPDX-License-Identifier: Apache-2.0
/** The sentence for an error of DuckDB: what is wrong, and never an option of the engine or a path of the machine. */

const DAMAGED_PARQUET = 'The Parquet file is damaged or truncated';
/** What DuckDB says where it fails to decode a page; `Invalid Error` is a fault that it did not expect. */
const UNDECODABLE = /Failed to read file|^Invalid Error|TProtocol|Thrift|snappy|ZSTD|decompress/i;

/** Errors of loading, which say more about the engine than about the file. */
const SENTENCES: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [
    /CSV Parser state machine/,
    'The file has line ends of more than one kind, or unbalanced quotes; write it with one kind of line ends, or change options.reading',
  ],
  [/CSV Error|sniffing file|read_csv/i, 'The text cannot be read with options.reading; change it, or set it to null to detect it again'],
  [/Malformed JSON|JSON/, 'The file is not valid JSON: it is damaged, truncated, or holds an object larger than the limit of 8 MiB'],
  [/Parquet|magic bytes|TProtocol|Thrift|snappy|ZSTD|decompress/i, DAMAGED_PARQUET],
];
const NO_FAULT_OF_FILE = /Out of Memory|No space left|Could not allocate|INTERRUPT|Permission Error/i;

/** Of files, without the values of their rows: the details of a scan are for all who may read its job. */
export function loadFailure(message: string): string {
  const known = NO_FAULT_OF_FILE.test(message) ? undefined : SENTENCES.find(([pattern]) => pattern.test(message));
  return known?.[1] ?? withoutValues(statementFailure(message));
}

/** DuckDB quotes the statement and its hints below the reason; both are ours, and name temporary files that are nobody's business. */
export function statementFailure(message: string): string {
  const [reason = message] = message.split(/\n+LINE \d+:|\n\s*\n|\nPossible /);
  return reason.replace(/(?:\/[\w.-]+)+\/(?=[\w.-]+)/g, '').trim();
}

/** Of a statement of ours that reads Parquet files where they are: what is damaged behind the footer shows when it is read. */
export function readFailure(message: string): string {
  return UNDECODABLE.test(message) && !NO_FAULT_OF_FILE.test(message) ? DAMAGED_PARQUET : statementFailure(message);
}

function withoutValues(sentence: string): string {
  return /^(Conversion|Invalid Input|Out of Range|Constraint) Error/.test(sentence)
    ? sentence.replaceAll(/(['"])(?:(?!\1)[\s\S])*\1/g, 'a value')
    : sentence;
}
