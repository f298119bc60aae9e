// SPDX-License-Identifier: Apache-2.0
/**
 * Real tables with real faults, as the npm package `vega-datasets` ships them (BSD-3-Clause; its datapackage.json names the sources): years
 * that were written with two digits, rainy days without rain, missing states written "NA", flights that left hours late.
 */
import { readFile } from 'node:fs/promises';
import type { AssetOptions } from '@sextant/contracts-observability';
import type { DamageTargets } from './damages.ts';
import { parquetTable } from './parquet-table.ts';
import { formatOf, parseTable, type Table } from './tables.ts';

export type DataSet = {
  readonly name: string;
  /** Below `data` of the package, read as it is. */
  readonly file: string;
  readonly options?: AssetOptions;
  readonly rule: { readonly name: string; readonly expression: string };
  readonly damaged: DamageTargets;
};

const FLIGHT = ['date', 'origin', 'destination'];
const MILES_AS_KILOMETRES = { how: 'miles become kilometres', shift: (miles: number) => miles * 1.609344 } as const;

export const DATA_SETS: readonly DataSet[] = [
  {
    name: 'movies',
    file: 'movies.json',
    options: { id_attributes: ['Title'] },
    rule: {
      name: 'nothing is released after the data were collected',
      expression: 'WITH right(`Release Date`, 4) AS year VALIDATE year EXPECT NUMERIC_VALUE <= 2011',
    },
    damaged: {
      ids: ['Title'],
      renamed: { from: 'MPAA Rating', to: 'Certificate' },
      emptied: 'Distributor',
      shifted: { column: 'Production Budget', how: 'times 1.5', shift: (dollars) => dollars * 1.5 },
    },
  },
  {
    name: 'flights',
    file: 'flights-2k.json',
    options: { id_attributes: FLIGHT, timestamp_attribute: 'date', segments: { origin: ['LAX', 'PHX'] } },
    rule: { name: 'no flight is more than three hours late', expression: 'VALIDATE delay EXPECT NUMERIC_VALUE <= 180' },
    damaged: {
      ids: FLIGHT,
      dated: 'date',
      renamed: { from: 'delay', to: 'minutes_late' },
      emptied: 'delay',
      shifted: { column: 'distance', ...MILES_AS_KILOMETRES },
    },
  },
  {
    name: 'weather',
    file: 'weather.csv',
    options: { id_attributes: ['location', 'date'], timestamp_attribute: 'date', segments: { location: ['Seattle', 'New York'] } },
    rule: { name: 'a rainy day has rain', expression: "VALIDATE weather <> 'rain' OR precipitation > 0 EXPECT IS_TRUE" },
    damaged: {
      ids: ['location', 'date'],
      dated: 'date',
      renamed: { from: 'precipitation', to: 'rain_mm' },
      emptied: 'wind',
      shifted: { column: 'temp_max', how: 'degrees Celsius become Fahrenheit', shift: (celsius) => celsius * 1.8 + 32 },
    },
  },
  {
    name: 'airports',
    file: 'airports.csv',
    options: { id_attributes: ['iata'], empty_values: ['NA'] },
    rule: { name: 'IATA codes are three letters', expression: "VALIDATE iata EXPECT EXPANDED_PATTERN = 'LLL'" },
    damaged: {
      ids: ['iata'],
      renamed: { from: 'state', to: 'province' },
      emptied: 'city',
      shifted: { column: 'longitude', how: 'the sign is lost', shift: Math.abs },
    },
  },
  {
    name: 'three million flights',
    file: 'flights-3m.parquet',
    options: { id_attributes: FLIGHT, timestamp_attribute: 'date' },
    rule: { name: 'no flight is more than three hours late', expression: 'VALIDATE delay EXPECT NUMERIC_VALUE <= 180' },
    damaged: {
      ids: FLIGHT,
      dated: 'date',
      renamed: { from: 'delay', to: 'minutes_late' },
      emptied: 'delay',
      shifted: { column: 'distance', ...MILES_AS_KILOMETRES },
    },
  },
];

/** What belongs to the four tables that everybody knows. */
export const SMALL_DATA_SETS = DATA_SETS.slice(0, 4);

export function readDataSet({ file }: Pick<DataSet, 'file'>): Promise<Buffer<ArrayBuffer>> {
  return readFile(new URL(`../data/${file}`, PACKAGE_ENTRY));
}

/** The package's entry lies in its folder `build`, beside `data`. */
const PACKAGE_ENTRY = import.meta.resolve('vega-datasets');

export async function readTable(dataSet: Pick<DataSet, 'file'>): Promise<Table> {
  const bytes = await readDataSet(dataSet);
  return dataSet.file.endsWith('.parquet') ? parquetTable(bytes) : parseTable(bytes.toString(), formatOf(dataSet.file));
}
