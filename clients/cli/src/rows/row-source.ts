// SPDX-License-Identifier: Apache-2.0
/** A file as rows of named values: what every format is turned into before rows become points. */

/** Null and absent both say that there is no value; what is null in the file and can say so stays null. */
export type Row = { readonly [column: string]: unknown };

/** A row, or why this one cannot be read although the next ones can. */
export type ReadRow = { readonly kind: 'row'; readonly row: Row } | { readonly kind: 'fault'; readonly reason: string };

export type RowSource = AsyncDisposable & {
  /** The columns, where the file names them ahead of its rows. */
  readonly columns: readonly string[] | undefined;
  /** How many rows there are, where the file says. */
  readonly rowCount: number | undefined;
  /** Where rows are not counted ahead: how many of the file's bytes have been read. */
  readonly bytes: { readonly total: number; read(): number } | undefined;
  /** Rows from one on, in the order of the file. Called once. Memory is bounded by a row, a block of rows or a row group, whatever the file's size. */
  rows(from: number): AsyncIterable<ReadRow>;
};
