/** Delivers a table of vega-datasets to a folder that the service reads, one version a day. */
import { type Random, seededRandom } from '@sextant/foundation-std';
import { DAMAGES } from '../../observability/demo/damages.ts';
import { DATA_SETS, type DataSet, readTable } from '../../observability/demo/data-sets.ts';
import { delivery } from '../../observability/demo/deliveries.ts';
import { formatOf, type Table, tableText } from '../../observability/demo/tables.ts';
import { WatchedFile } from '../../observability/demo/watched-file.ts';
import type { ObservabilityApi } from '../../observability/observability-api.ts';

const HOUR_MS = 3_600_000;
const SEED = 2026;

export type Place = {
  readonly directory: string;
  readonly connectionId: number;
  /** The service's time of the first delivery. */
  readonly startMs: number;
};

export class Supplier {
  readonly #dataSet: DataSet;
  readonly #table: Table;
  readonly #random: Random = seededRandom(SEED);
  readonly #file: WatchedFile;

  private constructor(dataSet: DataSet, table: Table, file: WatchedFile) {
    this.#dataSet = dataSet;
    this.#table = table;
    this.#file = file;
  }

  static async create(api: ObservabilityApi, name: string, { directory, connectionId, startMs }: Place): Promise<Supplier> {
    const dataSet = dataSetOf(name);
    const table = await readTable(dataSet);
    const format = formatOf(dataSet.file);
    const first = delivery(table, { random: seededRandom(SEED), nowMs: startMs, dated: dataSet.damaged.dated });
    const options = { name, file: `${name}.${format}`, directory, connectionId, options: dataSet.options };
    return new Supplier(dataSet, table, await WatchedFile.create(api, tableText(first, format), options));
  }

  get assetId(): string {
    return this.#file.assetId;
  }

  /** Brings the table as it is at that time, with a damage if one is named, and has it scanned. */
  async deliver(nowMs: number, damaged?: string): Promise<void> {
    const { damaged: targets, file } = this.#dataSet;
    const natural = delivery(this.#table, { random: this.#random, nowMs, dated: targets.dated });
    const damage = DAMAGES.find(({ name }) => name === damaged);
    const table = damage === undefined ? natural : damage.apply(natural, targets, this.#random);
    await this.#file.deliver(tableText(table, formatOf(file)), new Date(nowMs - (1 + this.#random.next()) * HOUR_MS));
  }
}

export function dataSetOf(name: string): DataSet {
  const dataSet = DATA_SETS.find((each) => each.name === name);
  if (dataSet === undefined) throw new Error(`the demo has no table ${name}`);
  return dataSet;
}
