// SPDX-License-Identifier: Apache-2.0
/** What may happen to a collection, each as one command that does it to the model and to the server and compares what both say. */
import { ok, rejects } from 'node:assert/strict';
import type { Payload, PointId, PointInput, PointSelector, PointVectors, UpdateResult } from '@sextant/contracts-vector';
import fc, { type Arbitrary, type AsyncCommand } from 'fast-check';
import type { CollectionApi } from '../vector-api.ts';
import { contentAgrees, facetAgrees, filterAgrees, nearestAgrees, orderAgrees } from './agreement.ts';
import type { CollectionModel, VectorShape } from './collection-model.ts';
import * as generate from './generators.ts';

/** The real thing: the collection on a server that can be restarted in between. */
export type Real = {
  readonly api: () => CollectionApi;
  readonly restart: (how: 'stop' | 'kill') => Promise<void>;
  /** The number of the last write; each write's is greater. */
  lastOperationId: number;
};

const COMMANDS_MAX = 120;

export type Command = AsyncCommand<CollectionModel, Real>;

export function commands(shapes: ReadonlyMap<string, VectorShape>): Arbitrary<Iterable<Command>> {
  const common = [...writes(shapes), ...payloadWrites(shapes), ...indexCommands(), ...reads(shapes)];
  // Four times, because a restart takes as long as a hundred of the others. At full size, else the runs end before there is much to compare.
  return fc.commands([...common, ...common, ...common, ...common, ...restarts()], { maxCommands: COMMANDS_MAX, size: 'max' });
}

function command(name: string, details: object, run: (model: CollectionModel, real: Real) => Promise<unknown>): Command {
  return {
    check: () => true,
    run: async (model, real) => void (await run(model, real)),
    toString: () => `${name} ${describe(details)}`,
  };
}

function describe(details: object): string {
  return JSON.stringify(details, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

/** A write's answer, with a number above that of the write before. */
async function accepted(real: Real, answer: Promise<UpdateResult>): Promise<void> {
  const { operation_id, status } = await answer;
  ok(status === 'Completed', `status ${status}`);
  ok(operation_id > real.lastOperationId, `operation ${operation_id} comes after ${real.lastOperationId}`);
  real.lastOperationId = operation_id;
}

function writes(shapes: ReadonlyMap<string, VectorShape>): Arbitrary<Command>[] {
  const point: Arbitrary<PointInput> = fc.record({ id: generate.id, vector: generate.vectors(shapes), payload: generate.payload });
  const points = fc.uniqueArray(point, { minLength: 1, maxLength: 12, selector: ({ id }) => String(id) });
  // To update none is refused, whatever point it is of.
  const some = generate.vectors(shapes).filter((vectors) => Object.keys(vectors).length > 0);
  const pointVectors: Arbitrary<PointVectors> = fc.record({ id: generate.id, vector: some });
  const vectorList = fc.uniqueArray(pointVectors, { minLength: 1, maxLength: 6, selector: ({ id }) => String(id) });
  const names = [...shapes.keys()];
  const upsert = points.map((list) =>
    command('upsert', list, async (model, real) => {
      await accepted(real, real.api().upsert(list));
      model.upsert(list);
    }),
  );
  const batch = fc.tuple(points, generate.ids(3), generate.payload).map(([list, doomed, payload]) =>
    command('batch', { list, doomed, payload }, async (model, real) => {
      const selector = { points: list.map(({ id }) => id) };
      const operations = [{ upsert: { points: list } }, { overwrite_payload: { ...selector, payload } }, { delete: { points: doomed } }];
      for (const result of await real.api().batch(operations)) await accepted(real, Promise.resolve(result));
      model.upsert(list);
      model.overwritePayload(selector, payload);
      model.delete({ points: doomed });
    }),
  );
  const remove = selectors(shapes, 6).map((selector) =>
    command('delete', selector, async (model, real) => {
      await accepted(real, real.api().deletePoints(selector));
      model.delete(selector);
    }),
  );
  const updateVectors = vectorList.map((list) =>
    command('update vectors', list, async (model, real) => {
      const existing = list.filter(({ id }) => model.get(id) !== undefined);
      if (existing.length === 0) return rejects(real.api().updateVectors(list), { status: 404 });
      await accepted(real, real.api().updateVectors(existing));
      model.updateVectors(existing);
    }),
  );
  const deleteVectors = fc.tuple(selectors(shapes, 6), fc.subarray(names, { minLength: 1 })).map(([selector, some]) =>
    command('delete vectors', { selector, some }, (model, real) =>
      changing(model, real, selector, async (existing) => {
        await accepted(real, real.api().deleteVectors(existing, some));
        model.deleteVectors(existing, some);
      }),
    ),
  );
  // A collection's unnamed vector is there for as long as its point; only named ones come and go.
  return [upsert, upsert, upsert, batch, remove, updateVectors, ...(names.includes('') ? [] : [deleteVectors])];
}

function payloadWrites(shapes: ReadonlyMap<string, VectorShape>): Arbitrary<Command>[] {
  const selector = selectors(shapes, 6);
  const set = fc.tuple(selector, generate.payloadChange).map(([chosen, payload]) => setPayload(chosen, payload));
  const setNested = fc.tuple(selector, generate.nestedChange).map(([chosen, payload]) => setPayload(chosen, payload, 'nested'));
  const overwrite = fc.tuple(selector, generate.payload).map(([chosen, payload]) =>
    command('overwrite payload', { chosen, payload }, (model, real) =>
      changing(model, real, chosen, async (existing) => {
        await accepted(real, real.api().overwritePayload({ ...existing, payload }));
        model.overwritePayload(existing, payload);
      }),
    ),
  );
  const remove = fc.tuple(selector, fc.uniqueArray(generate.payloadPath, { minLength: 1, maxLength: 3 })).map(([chosen, paths]) =>
    command('delete payload', { chosen, paths }, (model, real) =>
      changing(model, real, chosen, async (existing) => {
        await accepted(real, real.api().deletePayload(existing, paths));
        model.deletePayload(existing, paths);
      }),
    ),
  );
  const clear = selector.map((chosen) =>
    command('clear payload', chosen, (model, real) =>
      changing(model, real, chosen, async (existing) => {
        await accepted(real, real.api().clearPayload(existing));
        model.overwritePayload(existing, {});
      }),
    ),
  );
  return [set, setNested, overwrite, remove, clear];
}

function setPayload(selector: PointSelector, payload: Payload, key?: string): Command {
  return command('set payload', { selector, payload, key }, (model, real) =>
    changing(model, real, selector, async (existing) => {
      await accepted(real, real.api().setPayload({ ...existing, payload, ...(key !== undefined && { key }) }));
      model.setPayload(existing, payload, key);
    }),
  );
}

/** Runs a change on those of the selected ids that exist; a change of absent points alone must be refused. */
async function changing(
  model: CollectionModel,
  real: Real,
  selector: PointSelector,
  change: (existing: PointSelector) => Promise<void>,
): Promise<void> {
  if ('filter' in selector) return change(selector);
  const points = selector.points.filter((id) => model.get(id) !== undefined);
  if (points.length > 0) return change({ points });
  await rejects(real.api().setPayload({ points: selector.points, payload: { color: 'red' } }), { status: 404 });
}

function selectors(shapes: ReadonlyMap<string, VectorShape>, maxLength: number): Arbitrary<PointSelector> {
  const byIds = generate.ids(maxLength).map((points: readonly PointId[]) => ({ points }));
  const byFilter = generate.filter([...shapes.keys()]).map((filter) => ({ filter }));
  return fc.oneof({ weight: 3, arbitrary: byIds }, byFilter);
}

function indexCommands(): Arbitrary<Command>[] {
  const create = generate.fieldIndex.map(([field, type]) =>
    command('create index', { field, type }, async (model, real) => {
      await accepted(real, real.api().createIndex(field, type));
      model.indexes.set(field, type);
    }),
  );
  const remove = generate.fieldIndex.map(([field]) =>
    command('delete index', { field }, async (model, real) => {
      if (!model.indexes.delete(field)) return;
      await accepted(real, real.api().deleteIndex(field));
    }),
  );
  return [create, remove];
}

function reads(shapes: ReadonlyMap<string, VectorShape>): Arbitrary<Command>[] {
  const filter = generate.filter([...shapes.keys()]);
  const question = fc
    .constantFrom(...shapes)
    .chain(([name, { size }]) =>
      fc.record({ name: fc.constant(name), vector: generate.vector(size), filter, limit: fc.integer({ min: 1, max: 12 }) }),
    );
  return [
    filter.map((chosen) => command('filter', chosen, (model, real) => filterAgrees(model, real.api(), chosen))),
    question.map((asked) => command('search', asked, (model, real) => nearestAgrees(model, real.api(), asked))),
    fc.constantFrom('asc' as const, 'desc' as const).map((direction) =>
      command('order', { direction }, async (model, real) => {
        if (model.indexes.has('size')) await orderAgrees(model, real.api(), 'size', direction);
        else await rejects(real.api().scroll({ order_by: { key: 'size', direction } }), { status: 400 });
      }),
    ),
    filter.map((chosen) =>
      command('facet', chosen, async (model, real) => {
        if (model.indexes.has('color')) await facetAgrees(model, real.api(), 'color', chosen);
        else await rejects(real.api().facet({ key: 'color' }), { status: 400 });
      }),
    ),
    fc.constant(command('compare', {}, (model, real) => contentAgrees(model, real.api()))),
  ];
}

/** After a restart everything is compared: what was acknowledged is there, whichever way the server went. */
function restarts(): Arbitrary<Command>[] {
  return [
    fc.constantFrom('stop' as const, 'kill' as const).map((how) =>
      command('restart', { how }, async (model, real) => {
        await real.restart(how);
        await contentAgrees(model, real.api());
      }),
    ),
  ];
}
