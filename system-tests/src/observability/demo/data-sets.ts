/**
 * Real tables with real faults, as the npm package `vega-datasets` ships them (BSD-3-Clause; its datapackage.json names the sources): years
 * that were written with two digits, rainy days without rain, missing states written "NA", flights that left hours late.
 */
import { readFile } from 'node:fs/promises';
import type { AssetOptions } from '@sextant/contracts-observability';

export type DataSet = {
  readonly name: string;
  /** Below `data` of the package, read as it is. */
  readonly file: string;
  readonly options?: AssetOptions;
  readonly rule: { readonly name: string; readonly expression: string };
};

export const DATA_SETS: readonly DataSet[] = [
  {
    name: 'movies',
    file: 'movies.json',
    options: { id_attributes: ['Title'] },
    rule: {
      name: 'nothing is released after the data were collected',
      expression: 'WITH right(`Release Date`, 4) AS year VALIDATE year EXPECT NUMERIC_VALUE <= 2011',
    },
  },
  {
    name: 'flights',
    file: 'flights-2k.json',
    options: { timestamp_attribute: 'date', segments: { origin: ['LAX', 'PHX'] } },
    rule: { name: 'no flight is more than three hours late', expression: 'VALIDATE delay EXPECT NUMERIC_VALUE <= 180' },
  },
  {
    name: 'weather',
    file: 'weather.csv',
    options: { id_attributes: ['location', 'date'], timestamp_attribute: 'date', segments: { location: ['Seattle', 'New York'] } },
    rule: { name: 'a rainy day has rain', expression: "VALIDATE weather <> 'rain' OR precipitation > 0 EXPECT IS_TRUE" },
  },
  {
    name: 'airports',
    file: 'airports.csv',
    options: { id_attributes: ['iata'], empty_values: ['NA'] },
    rule: { name: 'IATA codes are three letters', expression: "VALIDATE iata EXPECT EXPANDED_PATTERN = 'LLL'" },
  },
  {
    name: 'three million flights',
    file: 'flights-3m.parquet',
    rule: { name: 'no flight is more than three hours late', expression: 'VALIDATE DELAY EXPECT NUMERIC_VALUE <= 180' },
  },
];

/** What belongs to the four tables that everybody knows. */
export const SMALL_DATA_SETS = DATA_SETS.slice(0, 4);

export function readDataSet({ file }: Pick<DataSet, 'file'>): Promise<Buffer<ArrayBuffer>> {
  return readFile(new URL(`../data/${file}`, PACKAGE_ENTRY));
}

/** The package's entry lies in its folder `build`, beside `data`. */
const PACKAGE_ENTRY = import.meta.resolve('vega-datasets');
