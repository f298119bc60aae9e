// SPDX-License-Identifier: Apache-2.0
/** The search of one file, as a library call. */
import { findWrongCells, type WrongCells } from './find-wrong-cells.ts';
import { openTextTable } from './text-table.ts';

export async function findWrongCellsInFile(
  path: string,
  limits: { readonly memoryBytes: number; readonly threads: number },
): Promise<WrongCells> {
  await using text = await openTextTable(path, limits);
  return await findWrongCells(text.table);
}
