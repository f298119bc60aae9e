import { settingRows } from '@sextant/foundation-service';
import { vectorSettings } from '@sextant/vector-server';
import { code, generatedPage, table } from './markdown.ts';

/** What an operator can set. */
export function configurationPage(): string {
  const rows = settingRows(vectorSettings).map(({ name, fallback, expected, meaning }) => [code(name), fallback, expected, meaning]);
  return generatedPage(
    'Configuration',
    'Settings come from the environment, or from flags of the same names, which win: `npm start -- --SERVICE_REST_PORT=7000`, or ' +
      '`--service-rest-port 7000`. A wrong value stops the start and says what would be right.',
    '## Vector service',
    table(['Name', 'Default', 'Takes', 'Meaning'], rows),
  );
}
