/** What the members of a call's request are, in the protocol's words. Each is given the body of REST. */
import { Inexpressible } from '@sextant/contracts-protocol';
import { isSparse, isVector, listOf, type Members, numbersOf, withVectors } from './writing-rules.ts';

/** Points by ids or by a filter, as a member of its own. */
export function selecting(body: Members): Members {
  const { points, filter, ...members } = body;
  return { ...members, points_selector: { points, filter } };
}

export function selectingVectors(body: Members): Members {
  const { vector, vectors = vector, ...members } = selecting(body) as Members & { readonly vector?: unknown; readonly vectors?: unknown };
  return { ...members, vectors: { names: vectors } };
}

/** The whole body is the choice of points. */
export function selected(body: Members): Members {
  return { points: body };
}

/** The protocol has no list of columns. */
export function upsert(body: Members): Members {
  if (body.points === undefined) throw new Inexpressible('points in columns');
  return body;
}

export function search(body: Members): Members {
  const { vector, limit, top = limit, ...members } = withVectors(body);
  if (limit !== undefined && top !== limit) throw new Inexpressible('limit and top');
  const isNamed = !isVector(vector) && !isSparse(vector);
  const { name, vector: query } = isNamed ? (vector as Members) : { name: undefined, vector };
  return { ...members, ...queryVector(query), limit: required(top), vector_name: name };
}

function queryVector(vector: unknown): Members {
  if (isSparse(vector)) return { vector: Array.from(numbersOf(vector.values), Math.fround), sparse_indices: { data: vector.indices } };
  if (!isVector(vector)) throw new Inexpressible('neither a dense vector nor a sparse one');
  return { vector: Array.from(numbersOf(vector), Math.fround) };
}

/** The protocol takes a limit that is not given for one of 0; REST has one of its own. */
function required(value: unknown): unknown {
  if (value === undefined || value === null) throw new Inexpressible('a limit that is not given');
  return value;
}

export function grouped(body: Members): Members {
  return { ...body, limit: required(body.limit), group_size: required(body.group_size) };
}

/** Examples by id and examples by vector are two lists. */
export function recommendation(body: Members): Members {
  const { positive, negative, limit, ...members } = withVectors(body);
  return {
    ...members,
    limit: required(limit),
    positive: ids(positive),
    negative: ids(negative),
    positive_vectors: vectors(positive),
    negative_vectors: vectors(negative),
  };
}

export function discovery(body: Members): Members {
  const { limit, context, ...members } = withVectors(body);
  return { ...members, limit: required(limit), context: listOf(context) };
}

export function prefetching(body: Members): Members {
  const { prefetch, ...members } = withVectors(body);
  return { ...members, prefetch: listOf(prefetch) };
}

function ids(examples: unknown): readonly unknown[] | undefined {
  return listOf(examples)?.filter((example) => !isVector(example) && !isSparse(example));
}

function vectors(examples: unknown): readonly unknown[] | undefined {
  return listOf(examples)?.filter((example) => isVector(example) || isSparse(example));
}

/** One write of several. */
export function step(operation: unknown): Members {
  const [[kind, body] = ['', {}], ...more] = Object.entries(operation as { readonly [kind: string]: Members });
  if (more.length > 0) throw new Inexpressible('a step of several operations');
  switch (kind) {
    case 'delete':
      return { delete_points: selected(body) };
    case 'clear_payload':
      return { clear_payload: selected(body) };
    case 'set_payload':
    case 'overwrite_payload':
    case 'delete_payload':
      return { [kind]: selecting(body) };
    case 'delete_vectors':
      return { delete_vectors: selectingVectors(body) };
    case 'upsert':
      return { upsert: upsert(body) };
    default:
      return { [kind]: body };
  }
}
