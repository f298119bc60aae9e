// SPDX-License-Identifier: Apache-2.0
/** What the contracts say of operations, types and their members. */
import { type Endpoint as ObservabilityEndpoint, endpoints as observability } from '@sextant/contracts-observability';
import type { Endpoint as VectorEndpoint } from '@sextant/contracts-vector';
import { endpoints as vector } from '@sextant/contracts-vector/schemas';

/** JSON Schema as far as sentences are in it. */
type Node = {
  readonly title?: string;
  readonly description?: string;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: { readonly [name: string]: Node };
  readonly patternProperties?: { readonly [pattern: string]: Node };
};

/** By `Type`, by `Type.member` and by `VectorOperations.operation`. */
export function schemaComments(): ReadonlyMap<string, string> {
  const comments = new Map<string, string>();
  for (const [id, row] of Object.entries<VectorEndpoint>(vector)) addOperation(comments, `VectorOperations.${id}`, row);
  for (const [id, row] of Object.entries<ObservabilityEndpoint>(observability))
    addOperation(comments, `ObservabilityOperations.${id}`, row);
  return comments;
}

function addOperation(
  comments: Map<string, string>,
  name: string,
  { summary, body, query, result }: VectorEndpoint | ObservabilityEndpoint,
) {
  comments.set(name, `${summary}.`);
  for (const schema of [body, query, result]) if (schema !== undefined) add(comments, schema);
}

function add(
  comments: Map<string, string>,
  { title, description, anyOf = [], items, properties = {}, patternProperties = {} }: Node,
): void {
  if (title !== undefined && description !== undefined) comments.set(title, description);
  for (const [name, member] of Object.entries(properties)) {
    if (title !== undefined && member.title === undefined && member.description !== undefined) {
      comments.set(`${title}.${name}`, member.description);
    }
    add(comments, member);
  }
  for (const inner of [...anyOf, ...Object.values(patternProperties), ...(items === undefined ? [] : [items])]) add(comments, inner);
}
