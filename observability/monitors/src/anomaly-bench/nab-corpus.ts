/** The labelled series of the Numenta Anomaly Benchmark, read from a folder with `data/<category>/<file>.csv` and `windows.json`. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LabelWindow } from './nab-score.ts';

export type LabelledSeries = {
  readonly name: string;
  readonly category: string;
  readonly timesMs: Float64Array;
  readonly values: Float64Array;
  readonly windows: readonly LabelWindow[];
};

/** Reads all series that `windows.json` names, in its order. Throws what `readFile` throws where one is missing. */
export async function readCorpus(folder: string): Promise<readonly LabelledSeries[]> {
  // Written by the benchmark's makers: file name to pairs of timestamps.
  const labels = JSON.parse(await readFile(join(folder, 'windows.json'), 'utf8')) as { [file: string]: [string, string][] };
  return await Promise.all(
    Object.entries(labels).map(async ([name, windows]) => parseSeries(name, await readFile(join(folder, 'data', name), 'utf8'), windows)),
  );
}

/** One file: a heading, then `timestamp,value` rows; a window is named by the timestamps of its first and last row. */
export function parseSeries(name: string, text: string, windows: readonly (readonly [string, string])[]): LabelledSeries {
  const rows = text
    .split('\n')
    .slice(1)
    .filter((line) => line.trim() !== '');
  const timesMs = Float64Array.from(rows, (row) => timeMs(row.slice(0, row.indexOf(','))));
  const values = Float64Array.from(rows, (row) => Number(row.slice(row.indexOf(',') + 1)));
  const rowsBetween = ([start, end]: readonly [string, string]) => ({
    first: timesMs.findIndex((time) => time >= timeMs(start)),
    last: timesMs.findLastIndex((time) => time <= timeMs(end)),
  });
  return { name, category: name.slice(0, name.indexOf('/')), timesMs, values, windows: windows.map(rowsBetween) };
}

/** The files write local times without a zone; they are read as UTC. */
function timeMs(text: string): number {
  return Date.parse(`${text.trim().replace(' ', 'T').slice(0, 19)}Z`);
}
