// SPDX-License-Identifier: Apache-2.0
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

/**
 * One file: a heading, then `timestamp,value` rows; a window is named by the timestamps of its first and last row. A value that is no finite number is missing
 * (NaN), and a window without rows is none. Rows are scans, one after another: one without a time of its own, or with one that is not later
 * than those before, comes a millisecond after them.
 */
export function parseSeries(name: string, text: string, windows: readonly (readonly [string, string])[]): LabelledSeries {
  const rows = text
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line.trim() !== '')
    .map((line) => line.split(',').map((cell) => cell.trim().replaceAll('"', '')));
  const named = Float64Array.from(rows, ([time]) => timeMs(time ?? ''));
  const values = Float64Array.from(rows, ([, value = '']) => {
    const number = value === '' ? Number.NaN : Number(value);
    return Number.isFinite(number) ? number : Number.NaN;
  });
  const rowsBetween = ([start, end]: readonly [string, string]) => ({
    first: named.findIndex((time) => time >= timeMs(start)),
    last: named.findLastIndex((time) => time <= timeMs(end)),
  });
  return {
    name,
    category: name.slice(0, name.indexOf('/')),
    timesMs: oneAfterAnother(named),
    values,
    windows: windows
      .map(rowsBetween)
      .filter(({ first, last }) => first >= 0 && last >= first)
      .sort((one, other) => one.first - other.first),
  };
}

function oneAfterAnother(named: Float64Array): Float64Array {
  let latest = (named.find((time) => Number.isFinite(time)) ?? 0) - 1;
  return named.map((time) => {
    latest = time > latest ? time : latest + 1;
    return latest;
  });
}

/** The files write local times without a zone, which are read as UTC; others name one, or count the seconds or milliseconds since 1970. NaN for anything else. */
function timeMs(text: string): number {
  const time = text.trim();
  if (/^\d{9,10}(\.\d+)?$/.test(time)) return 1000 * Number(time);
  if (/^\d{11,14}$/.test(time)) return Number(time);
  const [, day, clock = '00:00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d:?\d\d)?$/.exec(time) ?? [];
  return day === undefined ? Number.NaN : Date.parse(`${day}T${clock}${zone}`);
}
