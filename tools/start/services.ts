/** The services that `npm start` runs, and which of its flags are for which. */
import { join, resolve } from 'node:path';
import { type ConfigurationTable, settingRows } from '@sextant/foundation-service';
import { observabilitySettings } from '@sextant/observability-server';
import { vectorSettings } from '@sextant/vector-server';

export type ServiceProgram = { readonly name: string; readonly entry: string; readonly settings: ConfigurationTable };

const root = resolve(import.meta.dirname, '../..');

export const services: readonly ServiceProgram[] = [
  { name: 'vector', entry: join(root, 'vector/server/src/main.ts'), settings: vectorSettings },
  { name: 'observability', entry: join(root, 'observability/server/src/main.ts'), settings: observabilitySettings },
];

/**
 * The arguments of each service: a flag goes, with its value, to the service that has a setting of that name; `--help`, and what no service
 * knows, goes to all, so that each says what it takes.
 */
export function argumentsByService(argv: readonly string[], programs: readonly ServiceProgram[]): readonly (readonly string[])[] {
  const names = programs.map(({ settings }) => new Set(settingRows(settings).map(({ name }) => name)));
  const shares = programs.map((): string[] => []);
  let owners: readonly number[] = [];
  for (const argument of argv) {
    const flag = /^--([^=]+)/.exec(argument)?.[1]?.toUpperCase().replaceAll('-', '_');
    if (flag !== undefined) {
      const knowing = names.flatMap((own, index) => (own.has(flag) ? [index] : []));
      owners = knowing.length > 0 ? knowing : programs.keys().toArray();
    }
    for (const index of owners.length > 0 ? owners : programs.keys()) shares[index]?.push(argument);
  }
  return shares;
}
