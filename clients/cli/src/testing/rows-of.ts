// SPDX-License-Identifier: Apache-2.0
/** All rows of a source, faults as their reasons. */
import type { Row, RowSource } from '../rows/row-source.ts';

export async function rowsOf(source: RowSource, from = 0): Promise<readonly (Row | string)[]> {
  const rows: (Row | string)[] = [];
  for await (const read of source.rows(from)) rows.push(read.kind === 'row' ? read.row : read.reason);
  return rows;
}
