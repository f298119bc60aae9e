// SPDX-License-Identifier: Apache-2.0
/** Names for columns that have none, or one that another has. */

/** A name that is missing is `column0`, `column1`…; one that is there already gets a number, `a_1`. SQL does not tell `a` from `A`. */
export function columnNames(header: readonly string[], width: number): readonly string[] {
  const cells = header.length > 0 && header.length < width ? ['', ...header] : header;
  const taken = new Set<string>();
  return Array.from({ length: width }, (_, column) => {
    const cell = cells[column]?.trim() ?? '';
    const name = unusedName(cell === '' ? `column${column}` : cell, taken);
    taken.add(name.toLowerCase());
    return name;
  });
}

function unusedName(name: string, taken: ReadonlySet<string>): string {
  const isTaken = (candidate: string) => taken.has(candidate.toLowerCase());
  if (!isTaken(name)) return name;
  let number = 1;
  while (isTaken(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}
