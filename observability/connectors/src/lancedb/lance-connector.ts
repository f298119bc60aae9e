// SPDX-License-Identifier: Apache-2.0
/** Tables of LanceDB in directories of this machine, through the official client, which operators install where they want it. */
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AssetLocation,
  type Connector,
  type NearestSearch,
  type OpenConnection,
  SourceError,
  type VectorCollectionAccess,
} from '../connector.ts';
import { allowedDirectory, directoryMember } from '../files/file-connector.ts';
import { isInside } from '../files/local-file.ts';
import { pointsSource } from '../formats/points-source.ts';
import { noCredential, optionalText, type Payload, requiredText } from '../payload.ts';
import type { LanceTable } from './lance-messages.ts';
import { type LanceReader, startLanceReader } from './lance-reader.ts';

export type LanceConnectorOptions = {
  /** Absolute paths; none lets no connection through. */
  readonly allowedDirectories: readonly string[];
};

export function createLanceConnector({ allowedDirectories }: LanceConnectorOptions): Connector {
  const directoryOf = ({ payload }: OpenConnection) => allowedDirectory(payload, allowedDirectories);
  const openTable = async (connection: OpenConnection, { payload }: AssetLocation, reader: LanceReader) => {
    const { table, id } = placeOf(payload);
    const directory = await directoryOf(connection);
    const real = await realpath(join(directory, `${table}.lance`)).catch(() => undefined);
    if (real === undefined || !isInside(directory, real)) {
      throw new SourceError(`there is no table ${table} in the directory of the connection`, { member: 'payload.table' });
    }
    return accessTo(reader, (await reader.ask({ kind: 'open', directory, table, id }, 'table')).table);
  };
  return {
    kind: 'LANCEDB',
    validateConnection: (payload, credential) => {
      noCredential(credential);
      directoryMember(payload);
    },
    validateAsset: (payload) => {
      placeOf(payload);
    },
    test: async (connection, signal) => {
      await using reader = startLanceReader(signal);
      await reader.ask({ kind: 'list', directory: await directoryOf(connection), limit: 1 }, 'names');
    },
    list: async (connection, { limit, signal }) => {
      await using reader = startLanceReader(signal);
      const { names } = await reader.ask({ kind: 'list', directory: await directoryOf(connection), limit }, 'names');
      return names.map((table) => ({ payload: { table }, name: table, bytes: null, modified_at: null }));
    },
    ...pointsSource((connection, location, { signal, resources }) =>
      openTable(connection, location, resources.use(startLanceReader(signal))),
    ),
  };
}

function placeOf(payload: Payload): { readonly table: string; readonly id: string | undefined } {
  const table = requiredText(payload, 'table', 'the name of a table');
  if (!/^[\w.-]+$/.test(table) || /^\.+$/.test(table))
    throw new SourceError('payload.table is not the name of a table', { member: 'payload.table' });
  return { table, id: optionalText(payload, 'id', 'the name of the column that tells points apart') };
}

function accessTo(reader: LanceReader, { rows, indexed, dimensions, hasIds }: LanceTable): VectorCollectionAccess {
  return {
    info: async () => ({ points: rows, indexed, dimensions }),
    points: async function* () {
      for (let isFirst = true; ; isFirst = false) {
        const { points } = await reader.ask({ kind: 'page', isFirst }, 'page');
        if (points === undefined) return;
        yield points;
      }
    },
    ...(hasIds &&
      indexed !== undefined && {
        nearest: async (searches: readonly NearestSearch[]) => (await reader.ask({ kind: 'nearest', searches }, 'nearest')).found,
      }),
  };
}
