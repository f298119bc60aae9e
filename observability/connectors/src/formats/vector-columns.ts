// SPDX-License-Identifier: Apache-2.0
/** Files whose rows are points with vectors, as the payload of an asset says it: `{"vectors": ["embedding"], "id": "sku"}`. */
import { unknownName } from '@sextant/foundation-std';
import { type Column, SourceError, type VectorColumns } from '../connector.ts';
import { optionalText, type Payload } from '../payload.ts';

const NAMES_MAX = 16;
const EXAMPLE = 'the name of a column with lists of numbers, or a list of such names';

/** Undefined where the rows are no points. Throws a `SourceError`. */
export function vectorColumnsOf(payload: Payload): VectorColumns | undefined {
  const { vectors } = payload;
  const names = typeof vectors === 'string' ? [vectors] : vectors;
  if (names === undefined || names === null) return undefined;
  if (!Array.isArray(names)) throw refused('vectors', `payload.vectors is not usable; expected ${EXAMPLE}`);
  const texts = names.map((name: unknown) => {
    if (typeof name !== 'string' || name === '') throw refused('vectors', `payload.vectors is not usable; expected ${EXAMPLE}`);
    return name;
  });
  if (texts.length === 0 || texts.length > NAMES_MAX || new Set(texts).size < texts.length) {
    throw refused('vectors', `payload.vectors must name from 1 to ${NAMES_MAX} columns, each once`);
  }
  const id = optionalText(payload, 'id', 'the name of the column that tells points apart');
  if (id !== undefined && texts.includes(id))
    throw refused('id', `payload.id is ${id}, which is one of payload.vectors; a vector cannot identify points`);
  return { names: texts, ...(id !== undefined && { id }) };
}

/** Throws a `SourceError` that names the member where a column is not there. */
export function requireVectorColumns({ names, id }: VectorColumns, columns: readonly Column[]): void {
  const known = columns.map(({ name }) => name);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) throw refused('vectors', `payload.vectors: ${unknownName('column of the file', missing, known)}`);
  if (id !== undefined && !known.includes(id)) throw refused('id', `payload.id: ${unknownName('column of the file', id, known)}`);
}

function refused(member: string, message: string): SourceError {
  return new SourceError(message, { member: `payload.${member}` });
}
