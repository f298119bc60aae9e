// SPDX-License-Identifier: Apache-2.0
/** The series of the Turing Change Point Dataset, read from a folder with `annotations.json` and one JSON file a series. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type MarkedSeries = {
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** Places of the changes, by each person that marked them. */
  readonly marked: readonly (readonly number[])[];
};

/** Series of one dimension that somebody has marked. */
export async function readChangeCorpus(folder: string): Promise<readonly MarkedSeries[]> {
  // Written by the makers of the set: of each series the changes by each person.
  const annotations = JSON.parse(await readFile(join(folder, 'annotations.json'), 'utf8')) as {
    [name: string]: { [person: string]: number[] } | undefined;
  };
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json') && file !== 'annotations.json').sort();
  const all = await Promise.all(files.map(async (file) => parseMarkedSeries(await readFile(join(folder, file), 'utf8'), annotations)));
  return all.filter((series) => series !== undefined);
}

export function parseMarkedSeries(
  text: string,
  annotations: { readonly [name: string]: { readonly [person: string]: readonly number[] } | undefined },
): MarkedSeries | undefined {
  // As above.
  const { name, series } = JSON.parse(text) as { name: string; series: { raw: (number | null)[] }[] };
  const [first] = series;
  const marks = annotations[name];
  return first === undefined || series.length > 1 || marks === undefined
    ? undefined
    : { name, values: first.raw, marked: Object.values(marks) };
}
