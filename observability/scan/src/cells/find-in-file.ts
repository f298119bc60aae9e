// SPDX-License-Identifier: Apache-2.0
/** The search of one file, as a library call. */
import { findWrongCells, type WrongCells } from './find-wrong-cells.ts';

export async function findWrongCellsInFile(
  path: string,
  limits: { readonly memoryBytes: number; readonly threads: number },
): Promise<WrongCells> {
  // DuckDB is large, and a service that loads this package scans in processes of its own.
  const { openTextTable } = await import('./text-table.ts');
  await using text = await openTextTable(path, limits);
  return await findWrongCells(text.table);
}
