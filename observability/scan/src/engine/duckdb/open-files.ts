// SPDX-License-Identifier: Apache-2.0
/** Turns files into the relation `asset`. Columnar files stay where they are; text is parsed once, into a table. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ASSET, pathList } from './asset-relation.ts';
import { rowsOfParquet } from './file-rows.ts';
import { loadDelimited } from './load-delimited.ts';
import { loadJson } from './load-json.ts';
import type { FilesToOpen, Loaded } from './messages.ts';

export const NOTHING_LEFT_OUT: Loaded = { rows: 0, rejected: { count: 0, samples: [] }, mismatches: [] };

export async function openFiles(connection: DuckDBConnection, { files, format }: FilesToOpen): Promise<Loaded> {
  switch (format.kind) {
    case 'delimited':
      return loadDelimited(connection, { files, reading: format.reading });
    case 'ndjson':
    case 'json':
      return loadJson(connection, { files, format });
    case 'parquet': {
      await connection.run(`CREATE VIEW ${ASSET} AS FROM read_parquet(${pathList(files.map(({ link }) => link))}, union_by_name = true)`);
      return { ...NOTHING_LEFT_OUT, rowsByFile: await rowsOfParquet(connection, files) };
    }
  }
}
