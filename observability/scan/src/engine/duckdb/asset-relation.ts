// SPDX-License-Identifier: Apache-2.0
/** The names that all loaders share. */
import { duckdbDialect } from '../../dialect/duckdb.ts';
import { ASSET_RELATION } from '../engine.ts';

export const ASSET = duckdbDialect.identifier(ASSET_RELATION);

/** Rejected rows that are kept to be shown. */
export const REJECTED_SAMPLES = 20;

export function pathList(paths: readonly string[]): string {
  return `[${paths.map(duckdbDialect.literal).join(', ')}]`;
}

/** As a reader names the path of the file that a row is of, and the column that holds the place of that file among all. */
export const PATH_COLUMN = '\u0001path';
export const FILE = duckdbDialect.identifier('\u0001file');
/** The links to the files end with their place. */
export const FILE_OF_ROW = `CAST(regexp_extract(${duckdbDialect.identifier(PATH_COLUMN)}, '[0-9]+$') AS INTEGER)`;
/** Has a reader say which file a row is of. */
export const WITH_PATH = `filename = ${duckdbDialect.literal(PATH_COLUMN)}`;
