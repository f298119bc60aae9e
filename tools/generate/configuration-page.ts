// SPDX-License-Identifier: Apache-2.0
import { type ConfigurationTable, settingRows } from '@sextant/foundation-service';
import { observabilitySettings } from '@sextant/observability-server';
import { vectorSettings } from '@sextant/vector-server';
import { code, generatedPage, table } from './markdown.ts';

/** What an operator can set. */
export function configurationPage(): string {
  return generatedPage(
    'Configuration',
    'Give settings as flags (`npm start -- --SERVICE_REST_PORT=7000`, or `--service-rest-port 7000`), environment variables or lines of a ' +
      '[configuration file](../how-to/configuration-file.md), by the same names; flags override the environment, which overrides the file. With an invalid value ' +
      'the service does not start, and its error says what is expected. A setting that the file can change while the service runs is marked “reloaded”.',
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
