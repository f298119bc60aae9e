// SPDX-License-Identifier: Apache-2.0
/** What becomes of the types of columns once all their values are known. */
import type { Misfits } from './text-table.ts';
import type { TextColumn, TextType } from './text-types.ts';

/** A likely type that so large a share of the values does not fit was none. */
const MISFIT_SHARE = 0.01;

/** Undefined where all stay as they are. Each change goes to a wider type, so there are only a few. */
export function revisedTypes(columns: readonly TextColumn[], misfits: readonly Misfits[]): readonly TextColumn[] | undefined {
  const types = new Map(misfits.map((found) => [found.column.name, revisedType(found)]));
  const revised = columns.map((column) => ({ ...column, type: types.get(column.name) ?? column.type }));
  return revised.some(({ type }, index) => type !== columns[index]?.type) ? revised : undefined;
}

function revisedType({ column: { type, isDeclared }, count, decimals, wide, codes, times, present, isExact }: Misfits): TextType {
  // Numbers stay numbers, whatever was declared: nothing that watches integers minds a fraction among them.
  if (type === 'BIGINT' && wide > 0 && decimals === 0) return 'HUGEINT';
  if ((type === 'BIGINT' || type === 'HUGEINT') && decimals > 0 && isExact && wide === 0) return 'DOUBLE';
  if (isDeclared) return type;
  if (codes > 0) return 'VARCHAR';
  if (count <= MISFIT_SHARE * present) return type;
  return type === 'DATE' && times === count ? 'TIMESTAMP' : 'VARCHAR';
}
