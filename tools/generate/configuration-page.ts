// SPDX-License-Identifier: Apache-2.0
import { type ConfigurationTable, settingRows } from '@sextant/foundation-service';
import { observabilitySettings } from '@sextant/observability-server';
import { vectorSettings } from '@sextant/vector-server';
import { code, generatedPage, table } from './markdown.ts';

/** What an operator can set. */
export function configurationPage(): string {
  return generatedPage(
    'Configuration',
    'Settings are flags (`npm start -- --SERVICE_REST_PORT=7000`, or `--service-rest-port 7000`), else variables of the environment, else lines of a ' +
      '[configuration file](../how-to/configuration-file.md), by the same names. A wrong value stops the start and says what would be right. ' +
      'Where the file may change a setting while the service runs, its meaning ends with “reloaded”.',
    '## Vector service',
    settingTable(vectorSettings),
    '## Observability service',
    settingTable(observabilitySettings),
  );
}

function settingTable(settings: ConfigurationTable): string {
  const rows = settingRows(settings).map(({ name, fallback, expected, meaning, reloadable }) => [
    code(name),
    fallback,
    expected,
    reloadable ? `${meaning}; reloaded` : meaning,
  ]);
  return table(['Name', 'Default', 'Takes', 'Meaning'], rows);
}
