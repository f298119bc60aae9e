// SPDX-License-Identifier: Apache-2.0
/** The programs of the services, where they are installed beside the command line. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CommandFailure } from './failure.ts';

/** A package that holds the command line alone has none of them. */
const ENTRIES = {
  both: new URL('../../../tools/start/main.ts', import.meta.url),
  vector: new URL('../../../vector/server/src/main.ts', import.meta.url),
  observability: new URL('../../../observability/server/src/main.ts', import.meta.url),
};

/** @returns the path of the file that starts the service; throws `CommandFailure` where it is not installed */
export function serviceEntry(service: keyof typeof ENTRIES): string {
  const entry = fileURLToPath(ENTRIES[service]);
  if (existsSync(entry)) return entry;
  const advice = '`npx @sextant/sextant serve` runs the services.';
  throw new CommandFailure('usage', 'this package contains only the command line, not the services', { advice });
}
