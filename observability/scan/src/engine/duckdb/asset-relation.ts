/** The names that all loaders share. */
import { duckdbDialect } from '../../dialect/duckdb.ts';
import { ASSET_RELATION } from '../engine.ts';

export const ASSET = duckdbDialect.identifier(ASSET_RELATION);

/** Rejected rows that are kept to be shown. */
export const REJECTED_SAMPLES = 20;

export function pathList(paths: readonly string[]): string {
  return `[${paths.map(duckdbDialect.literal).join(', ')}]`;
}
