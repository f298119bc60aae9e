// SPDX-License-Identifier: Apache-2.0
/**
 * One table through weeks of deliveries: undamaged ones teach the service what is usual, then each damage arrives and is followed by an
 * undamaged delivery, and more undamaged ones show whether the service cries wolf.
 */
import { type Random, seededRandom, systemClock } from '@sextant/foundation-std';
import type { ObservabilityApi } from '../observability-api.ts';
import { DAMAGES, type Damage } from './damages.ts';
import { type DataSet, readTable } from './data-sets.ts';
import { delivery } from './deliveries.ts';
import type { StatusLine } from './status-line.ts';
import { formatOf, type Table, tableText } from './tables.ts';
import { type Delivered, type RaisedIncident, WatchedFile } from './watched-file.ts';

export type TrialOptions = {
  /** A directory that the service may read, and its connection. */
  readonly directory: string;
  readonly connectionId: number;
  /** Undamaged deliveries before the first damage. */
  readonly base: number;
  /** Undamaged deliveries after it, those that follow a damage among them. */
  readonly redeliveries: number;
  readonly seed: number;
  readonly damages?: readonly Damage[];
  readonly status: StatusLine;
};

export type DamageOutcome = {
  readonly damage: Damage;
  /** What the damage opened. */
  readonly opened: readonly RaisedIncident[];
  /** What was still open after the undamaged delivery that followed. */
  readonly leftOpen: readonly RaisedIncident[];
};

export type Trial = {
  readonly dataSet: DataSet;
  readonly base: number;
  readonly outcomes: readonly DamageOutcome[];
  readonly redeliveries: number;
  /** Incidents that undamaged deliveries opened, before the damages and after. */
  readonly falseAlarms: readonly RaisedIncident[];
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A file lies so long at most before it is scanned. */
const LATE_HOURS = 3;

export async function damageTrial(api: ObservabilityApi, dataSet: DataSet, options: TrialOptions): Promise<Trial> {
  const { base, redeliveries, damages = DAMAGES, status } = options;
  const random = seededRandom(options.seed);
  const supplier = await Supplier.create(api, dataSet, random, options);
  const falseAlarms: RaisedIncident[] = [];
  const deliverUndamaged = async (step: string): Promise<readonly RaisedIncident[]> => {
    status.show(`${dataSet.name}: ${step}`);
    return (await supplier.deliver()).open;
  };
  for (let number = 1; number <= base; number += 1)
    falseAlarms.push(...(await deliverUndamaged(`undamaged delivery ${number} of ${base}`)));

  const outcomes: DamageOutcome[] = [];
  for (const damage of damages) {
    status.show(`${dataSet.name}: ${damage.name}`);
    const { open: opened } = await supplier.deliver(damage);
    outcomes.push({ damage, opened, leftOpen: await deliverUndamaged(`undamaged after ${damage.name}`) });
  }
  for (let number = damages.length + 1; number <= redeliveries; number += 1) {
    falseAlarms.push(...(await deliverUndamaged(`undamaged redelivery ${number} of ${redeliveries}`)));
  }
  return { dataSet, base, outcomes, redeliveries, falseAlarms };
}

/** Makes the deliveries of one table and brings them. */
class Supplier {
  readonly #table: Table;
  readonly #file: WatchedFile;
  readonly #dataSet: DataSet;
  readonly #random: Random;
  readonly #nowMs: number;

  private constructor(parts: { table: Table; file: WatchedFile; dataSet: DataSet; random: Random; nowMs: number }) {
    this.#table = parts.table;
    this.#file = parts.file;
    this.#dataSet = parts.dataSet;
    this.#random = parts.random;
    this.#nowMs = parts.nowMs;
  }

  static async create(api: ObservabilityApi, dataSet: DataSet, random: Random, place: TrialOptions): Promise<Supplier> {
    const table = await readTable(dataSet);
    const format = formatOf(dataSet.file);
    const file = await WatchedFile.create(api, tableText(table, format), {
      name: dataSet.name,
      file: `${dataSet.name.replaceAll(' ', '-')}.${format}`,
      directory: place.directory,
      connectionId: place.connectionId,
      options: dataSet.options,
    });
    // One day for all: a trial that runs past midnight is still one of that day.
    return new Supplier({ table, file, dataSet, random, nowMs: systemClock.nowMs() });
  }

  deliver(damage?: Damage): Promise<Delivered> {
    const { damaged, file } = this.#dataSet;
    const natural = delivery(this.#table, { random: this.#random, nowMs: this.#nowMs, dated: damaged.dated });
    const table = damage === undefined ? natural : damage.apply(natural, damaged, this.#random);
    const ageMs = (damage?.fileAgeDays ?? 0) * DAY_MS + this.#random.next() * LATE_HOURS * HOUR_MS;
    return this.#file.deliver(tableText(table, formatOf(file)), new Date(this.#nowMs - ageMs));
  }
}
