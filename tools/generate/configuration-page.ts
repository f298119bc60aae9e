import { type ConfigurationTable, settingRows } from '@sextant/foundation-service';
import { observabilitySettings } from '@sextant/observability-server';
import { vectorSettings } from '@sextant/vector-server';
import { code, generatedPage, table } from './markdown.ts';

/** What an operator can set. */
export function configurationPage(): string {
  return generatedPage(
    'Configuration',
    'Settings come from the environment, or from flags of the same names, which win: `npm start -- --SERVICE_REST_PORT=7000`, or ' +
      '`--service-rest-port 7000`. A wrong value stops the start and says what would be right.',
    '## Vector service',
    settingTable(vectorSettings),
    '## Observability service',
    settingTable(observabilitySettings),
  );
}

function settingTable(settings: ConfigurationTable): string {
  const rows = settingRows(settings).map(({ name, fallback, expected, meaning }) => [code(name), fallback, expected, meaning]);
  return table(['Name', 'Default', 'Takes', 'Meaning'], rows);
}
