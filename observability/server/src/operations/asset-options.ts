// SPDX-License-Identifier: Apache-2.0
/** Whether the options of an asset can be followed: the attributes that they name are there, as far as the source can be read now. */
import { ApiError, type Asset, type AssetOptions, type DataType, holdsVectors } from '@sextant/contracts-observability';
import { memberPath } from '@sextant/foundation-contract';
import { unknownName } from '@sextant/foundation-std';

type KnownColumn = { readonly name: string; readonly data_type: DataType };

/** Types that a time can be read from. */
const DATED: readonly DataType[] = ['DATE', 'TIMESTAMP', 'STRING'];
const TEXTLESS: readonly DataType[] = ['INTEGER', 'DECIMAL', 'BOOLEAN'];
const DATABASES = ['POSTGRESQL', 'SPARK'];

/** @throws ApiError that names the option. `columns` are undefined while the source cannot be read: then the first scan says what is missing. */
export function requireFollowable(
  { type, payload, options }: Pick<Asset, 'type' | 'payload' | 'options'>,
  columns: readonly KnownColumn[] | undefined,
): void {
  if (holdsVectors({ type, payload })) {
    if (options.only_light_scan === 'true')
      throw refused('only_light_scan', 'light scans are not available for vector collections; leave the option out');
    if (options.find_wrong_cells === 'true')
      throw refused('find_wrong_cells', 'scans search only files for wrong cells; leave the option out');
    // The members of its payload are not fixed, so of the other options none is compared with them.
    for (const [vector, member] of Object.entries(options.text_members ?? {})) requireText(vector, member, columns ?? []);
    return;
  }
  if (options.text_members !== undefined) throw refused('text_members', 'only assets with vectors have source texts; leave the option out');
  if (DATABASES.includes(type) && options.find_wrong_cells === 'true') {
    throw refused('find_wrong_cells', 'scans search only files for wrong cells, not tables of a database; leave the option out');
  }
  if (columns === undefined || columns.length === 0) return;
  const known = columns.map(({ name }) => name);
  for (const [option, names] of Object.entries(namedBy(options))) {
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) throw refused(option, unknownName('attribute of the asset', unknown, known));
  }
  requireDated('options.timestamp_attribute', options.timestamp_attribute, columns);
}

/** @throws ApiError where the attribute is none of those known, or holds no times */
export function requireDated(member: string, name: string | undefined, columns: readonly KnownColumn[]): void {
  if (name === undefined || columns.length === 0) return;
  const column = columns.find((one) => one.name === name);
  const names = columns.map((one) => one.name);
  if (column === undefined)
    throw new ApiError('bad_request', { reason: `${member}: ${unknownName('attribute of the asset', name, names)}` });
  if (DATED.includes(column.data_type)) return;
  throw new ApiError('bad_request', {
    reason: `${member}: ${name} is of type ${column.data_type}; expected an attribute of type ${DATED.join(', ')}`,
  });
}

/** As far as a first page of points shows. */
function requireText(vector: string, member: string, columns: readonly KnownColumn[]): void {
  if (columns.length === 0) return;
  const column = columns.find(({ name }) => name === member);
  const names = columns.map(({ name }) => name);
  const option = memberPath('text_members', vector);
  if (column === undefined) throw refused(option, unknownName('payload member', member, names));
  if (!TEXTLESS.includes(column.data_type)) return;
  throw refused(option, `${member} holds no text; it is of type ${column.data_type}`);
}

function namedBy({ id_attributes = [], timestamp_attribute, segments = {}, filter = {} }: AssetOptions) {
  return {
    id_attributes,
    timestamp_attribute: timestamp_attribute === undefined ? [] : [timestamp_attribute],
    segments: Object.keys(segments),
    filter: Object.keys(filter),
  };
}

function refused(option: string, reason: string): ApiError {
  return new ApiError('bad_request', { reason: `options.${option}: ${reason}` });
}
