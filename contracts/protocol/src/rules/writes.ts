// SPDX-License-Identifier: Apache-2.0
/** Requests that write points, alone and as the steps of a batch. */
import type { Message } from '@bufbuild/protobuf';
import type { PointsUpdateOperation } from '@qdrant/js-client-grpc';
import { Inexpressible } from '../inexpressible.ts';
import type { MessageReader } from '../message-reader.ts';
import { defined, type Members, nameOf, type Rule, type Rules, readBody } from '../rule.ts';

const upsert: Rule = {
  read: readBody,
  write: (body: Members) => {
    if (body.points === undefined) throw new Inexpressible('points in columns');
    return body;
  },
};

/** The choice of points is the body, but for their keys; one that is missing selects nothing, which the schema refuses. */
const choice: Rule = {
  read: (request: Message, reader) => {
    const { points, shard_key } = reader.members(request);
    return { ...(points as Members | undefined), ...defined({ shard_key }) };
  },
  write: ({ collection_name, shard_key, ...body }: Members) => ({ collection_name, shard_key, points: body }),
};

/** The points that are meant are members of the body. */
const selecting: Rule = {
  read: (request: Message, reader) => {
    const { points_selector: selector, ...members } = readBody(request, reader);
    return { ...members, ...(selector as Members | undefined) };
  },
  write: writeSelecting,
};

const payload: Rule = {
  read: (request: never, reader) => ({ payload: {}, ...(selecting.read?.(request, reader) as Members) }),
  write: writeSelecting,
};

const vectorNames: Rule = {
  ...selecting,
  write: ({ vector, vectors = vector, ...members }: Members) => ({ ...writeSelecting(members), vectors: { names: vectors } }),
};

export const writeRules: Rules = {
  'qdrant.UpsertPoints': upsert,
  'qdrant.DeletePoints': choice,
  'qdrant.ClearPayloadPoints': choice,
  'qdrant.SetPayloadPoints': payload,
  'qdrant.DeletePayloadPoints': selecting,
  'qdrant.DeletePointVectors': vectorNames,
  'qdrant.UpdateBatchPoints': {
    write: ({ operations, ...members }: Members) => {
      if (!Array.isArray(operations)) throw new Inexpressible('operations that are no list');
      return { ...members, operations };
    },
  },
  'qdrant.PointsUpdateOperation': { read: readStep, write: writeStep },
  'qdrant.PointsUpdateOperation.PointStructList': upsert,
  'qdrant.PointsUpdateOperation.UpdateVectors': { read: readBody },
  'qdrant.PointsUpdateOperation.DeletePoints': choice,
  'qdrant.PointsUpdateOperation.ClearPayload': choice,
  'qdrant.PointsUpdateOperation.SetPayload': payload,
  'qdrant.PointsUpdateOperation.OverwritePayload': payload,
  'qdrant.PointsUpdateOperation.DeletePayload': selecting,
  'qdrant.PointsUpdateOperation.DeleteVectors': vectorNames,
};

function writeSelecting({ points, filter, ...members }: Members): Members {
  return { ...members, points_selector: { points, filter } };
}

function readStep({ operation: { case: kind, value } }: PointsUpdateOperation, reader: MessageReader): Members {
  if (kind === undefined) return {};
  const name = kind === 'deletePoints' ? 'delete' : nameOf(kind.replace('Deprecated', ''));
  return { [name]: reader.read(value) };
}

function writeStep(operation: Members): Members {
  const [[kind, body] = ['', {}], ...more] = Object.entries(operation);
  if (more.length > 0) throw new Inexpressible('a step of several operations');
  return { [kind === 'delete' ? 'delete_points' : kind]: body };
}
