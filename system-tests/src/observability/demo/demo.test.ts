// SPDX-License-Identifier: Apache-2.0
import { isLongRun } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { sharedServiceUnderTest } from '../contract/service-under-test.ts';
import { type DataSet, readDataSet, SMALL_DATA_SETS } from './data-sets.ts';
import { correctness, reportOf } from './report.ts';
import { statusLine } from './status-line.ts';
import { survey } from './survey.ts';

type Row = { readonly [column: string]: unknown };

/** What is known of each table without our scan: from the files themselves, read by a few lines of JavaScript. */
const KNOWN: {
  readonly [name: string]: { readonly rows: (dataSet: DataSet) => Promise<readonly Row[]>; readonly isRight: (row: Row) => boolean };
} = {
  movies: { rows: jsonRows, isRight: (row) => Number(String(row['Release Date']).slice(-4)) <= 2011 },
  flights: { rows: jsonRows, isRight: ({ delay }) => Number(delay) <= 180 },
  weather: { rows: csvRows, isRight: ({ weather, precipitation }) => weather !== 'rain' || Number(precipitation) > 0 },
  airports: { rows: csvRows, isRight: ({ iata }) => /^[A-Za-z]{3}$/.test(String(iata)) },
};

/** The quick run takes one of each format. */
const SURVEYED = SMALL_DATA_SETS.filter(({ name }) => isLongRun() || name === 'movies' || name === 'airports');

test('the demo measures what the tables of vega-datasets hold', async () => {
  const { api } = await sharedServiceUnderTest();
  const steps: string[] = [];
  for (const dataSet of SURVEYED) {
    const result = await survey(api, dataSet, statusLine({ write: (text) => steps.push(text) }));
    const known = KNOWN[dataSet.name];
    const rows = (await known?.rows(dataSet)) ?? [];
    expect(result.found.value('RECORD_COUNT')).toBe(rows.length);
    for (const { name } of result.attributes) {
      const filled = rows.filter((row) => !isEmpty(row[name], dataSet)).length;
      const completeness = result.found.value('COMPLETENESS', { attribute: name });
      expect(completeness, `${dataSet.name}: completeness of ${name}`).toBeCloseTo((100 * filled) / rows.length, 9);
    }
    const right = rows.filter((row) => known?.isRight(row) === true).length;
    expect(right).toBeLessThan(rows.length);
    expect(correctness(result)).toBeCloseTo((100 * right) / rows.length, 9);
    expect(result.failing.length).toBeGreaterThan(0);
    const report = reportOf(result);
    expect(report).toContain(`${rows.length.toLocaleString('en')} rows`);
    expect(report).not.toMatch(/undefined|NaN|\[object/);
  }
  expect(steps.join('')).toMatch(/movies: uploading\n(?:.*\n)*movies: done\n(?:.*\n)*airports: uploading\n(?:.*\n)*airports: done\n/);
});

async function jsonRows(dataSet: DataSet): Promise<readonly Row[]> {
  // The package's tables are arrays of flat objects.
  return JSON.parse((await readDataSet(dataSet)).toString()) as Row[];
}

/** Enough for these files: fields in quotes hold commas, but neither quotes nor line breaks. */
async function csvRows(dataSet: DataSet): Promise<readonly Row[]> {
  const [header = '', ...lines] = (await readDataSet(dataSet)).toString().trim().split(/\r?\n/);
  const fields = (line: string) => [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const names = fields(header);
  return lines.map((line) => Object.fromEntries(fields(line).map((value, index) => [names[index] ?? '', value])));
}

function isEmpty(value: unknown, { options }: DataSet): boolean {
  return (
    value === null || value === undefined || value === '' || (typeof value === 'string' && (options?.empty_values ?? []).includes(value))
  );
}
