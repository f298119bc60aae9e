/** Turns files into the relation `asset`. Columnar files stay where they are; text is parsed once, into a table. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { ASSET, pathList } from './asset-relation.ts';
import { loadDelimited } from './load-delimited.ts';
import { loadJson } from './load-json.ts';
import type { Broken, FilesToOpen } from './messages.ts';

export async function openFiles(connection: DuckDBConnection, { links, format, compression, names }: FilesToOpen): Promise<Broken> {
  switch (format.kind) {
    case 'delimited':
      return loadDelimited(connection, { links, format, compression, names });
    case 'ndjson':
    case 'json':
      return loadJson(connection, { links, kind: format.kind, compression });
    case 'parquet': {
      await connection.run(`CREATE VIEW ${ASSET} AS FROM read_parquet(${pathList(links)}, union_by_name = true)`);
      return { count: 0, samples: [] };
    }
  }
}
