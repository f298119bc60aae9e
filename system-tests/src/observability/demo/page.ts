// SPDX-License-Identifier: Apache-2.0
/** The page that `npm run demo:observability -- --write` writes. */
import { fileURLToPath } from 'node:url';
import type { Trial } from './damage-trial.ts';
import { trialTables } from './trial-report.ts';

export const PAGE = fileURLToPath(new URL('../../../../docs/reference/demo-observability.md', import.meta.url));

export function trialPage(trials: readonly Trial[]): string {
  const damages = trials.flatMap(({ dataSet, outcomes }) =>
    outcomes.map(({ damage }) => `- ${dataSet.name}, ${damage.name}: ${damage.describe(dataSet.damaged)}`),
  );
  return `# Damaged deliveries of real tables

Written by \`npm run demo:observability -- --write\`: what it saw, not what it hoped for.

Each table of the package \`vega-datasets\` is delivered again and again as a file that replaces the last one, and is scanned each time. An
undamaged delivery varies as deliveries do: 95 % of the rows, chosen at random each time, about 1 % of the rows with the numbers of a row nearby, dates that
end on the day of the delivery, a file up to three hours old. After the first ten deliveries every damage arrives once, each followed by an
undamaged delivery. Nothing is set up but one file asset for each table: the pre-built monitors watch, with their learned bands.

"Caught" means that the monitor named for the damage opened an incident. "Noticed too" are other monitors whose values the damage changes
as well; "falsely raised" is what the damage does not explain.

${trialTables(trials)}

## The damages

${damages.join('\n')}
`;
}
