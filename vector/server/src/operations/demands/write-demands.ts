// SPDX-License-Identifier: Apache-2.0
/** What each write demands of a collection. */
import type { BodyOf, Filter, OperationId } from '@sextant/contracts-vector';
import type { Demand, DemandPart } from '@sextant/vector-collection';
import type { Input } from '../operation.ts';
import { vectorLengths } from './vector-lengths.ts';

type Demands<Id extends OperationId> = { readonly [each in Id]: (input: Input<each>) => Demand };
type Step = BodyOf<'batch_update'>['operations'][number];
type Selecting = { readonly points?: readonly unknown[] | null; readonly filter?: Filter | null };

export const writeDemands = {
  upsert_points: ({ body }) => write(upsertPart(body)),
  update_vectors: ({ body }) => write(vectorsPart(body)),
  delete_points: ({ body }) => write(selectorPart(body)),
  delete_vectors: ({ body }) => write(selectorPart(body)),
  set_payload: ({ body }) => write(payloadPart(body)),
  overwrite_payload: ({ body }) => write(payloadPart(body)),
  delete_payload: ({ body }) => write(selectorPart(body)),
  clear_payload: ({ body }) => write(selectorPart(body)),
  batch_update: ({ body }) => ({ kind: 'write', parts: body.operations.map(stepPart) }),
  create_field_index: ({ body }) => write({ fieldIndex: body.field_name, charge: 1 }),
  delete_field_index: () => write({ charge: 1 }),
} satisfies Partial<Demands<OperationId>>;

function write(part: DemandPart): Demand {
  return { kind: 'write', parts: [part] };
}

function upsertPart(body: BodyOf<'upsert_points'>): DemandPart {
  const count = 'batch' in body ? body.batch.ids.length : body.points.length;
  const vectors = 'batch' in body ? [body.batch.vectors] : body.points.map((point) => point.vector ?? point.vectors);
  const lengths = { [Symbol.iterator]: () => vectorLengths(vectors, { inColumns: 'batch' in body }) };
  return { filter: body.update_filter, charge: count, puts: { what: 'points', count, lengths } };
}

function vectorsPart({ points, update_filter: filter }: BodyOf<'update_vectors'>): DemandPart {
  const vectors = points.map((point) => point.vector ?? point.vectors);
  const lengths = { [Symbol.iterator]: () => vectorLengths(vectors, { inColumns: false }) };
  return { filter, charge: points.length, puts: { what: 'vectors', count: points.length, lengths } };
}

function payloadPart(body: BodyOf<'set_payload'>): DemandPart {
  return { ...selectorPart(body), puts: { what: 'payload' } };
}

/** Of points by their ids, or by a filter. */
function selectorPart({ points, filter }: Selecting): DemandPart {
  return { filter, charge: points == null ? 'matching points' : points.length };
}

function stepPart(step: Step): DemandPart {
  if ('upsert' in step) return upsertPart(step.upsert);
  if ('update_vectors' in step) return vectorsPart(step.update_vectors);
  if ('set_payload' in step) return payloadPart(step.set_payload);
  if ('overwrite_payload' in step) return payloadPart(step.overwrite_payload);
  if ('delete' in step) return selectorPart(step.delete);
  if ('delete_payload' in step) return selectorPart(step.delete_payload);
  if ('clear_payload' in step) return selectorPart(step.clear_payload);
  return selectorPart(step.delete_vectors);
}
