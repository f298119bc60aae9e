// SPDX-License-Identifier: Apache-2.0
/** A view in a session of Spark: every statement runs where the data are, one at a time; nothing but results comes here. */
import { traced } from '@sextant/foundation-std';
import type { Column, SparkAccess } from '@sextant/observability-connectors';
import { sparkDialect } from '../dialect/spark.ts';
import { type Engine, type Row, type RowObject, rowObjects, ScanError, type StatementLimit } from './engine.ts';
import { assetName, RemoteTableEngine } from './remote-table-engine.ts';

/** Tenants' SQL could read whatever the session can. */
export const REFUSED_ON_SPARK =
  'Custom SQL is not run on Spark, where it could not be confined to its asset; write the metric as an expression';

const ASSET = assetName(sparkDialect);

export type SparkSource = { readonly connect: SparkAccess; readonly view: string };

export function openSparkEngine({ connect, view }: SparkSource, columns: readonly Column[], signal: AbortSignal): Engine {
  return new SparkEngine({ connect, columns, signal, relation: `${sparkDialect.identifier(view)} AS ${ASSET}` });
}

class SparkEngine extends RemoteTableEngine<SparkAccess> {
  readonly dialect = sparkDialect;

  query(sql: string, limit?: StatementLimit): Promise<readonly Row[]> {
    const { connect, signal } = this.source;
    return traced({ name: 'spark query', kind: 'client', attributes: { 'db.system.name': 'spark' } }, () =>
      connect.query(sql, { signal, ...(limit && { timeoutMs: limit.timeoutMs }) }),
    );
  }

  async queryObjects(sql: string, rowLimit: number, limit?: StatementLimit): Promise<readonly RowObject[]> {
    // Its JSON writes times in another way than its texts.
    const members = (await this.query(`DESCRIBE QUERY ${sql}`)).map(([name, type]) => {
      const column = sparkDialect.identifier(String(name));
      const isTime = /^(date|timestamp)/.test(String(type));
      return `${sparkDialect.literal(String(name))}, ${isTime ? sparkDialect.castText(column) : column}`;
    });
    const json = `to_json(named_struct(${members.join(', ')}), map('ignoreNullFields', 'false'))`;
    return rowObjects(await this.query(`SELECT ${json} FROM (${sql}) AS m LIMIT ${rowLimit}`, limit));
  }

  async queryTenant(): Promise<never> {
    throw new ScanError(REFUSED_ON_SPARK);
  }

  protected over(relation: string): Engine {
    return new SparkEngine({ ...this.source, relation });
  }
}
