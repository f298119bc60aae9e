// SPDX-License-Identifier: Apache-2.0
/** A trial as text for people, and several as tables of Markdown. */
import type { DamageOutcome, Trial } from './damage-trial.ts';
import { DAMAGES } from './damages.ts';
import type { RaisedIncident } from './watched-file.ts';

const LINE_WIDTH = 160;
const SENTENCES_SHOWN = 2;
const NOTHING = '–';

export function trialReport({ dataSet, base, outcomes, redeliveries, falseAlarms }: Trial): string {
  const lines = [
    `${dataSet.name}: ${base} undamaged deliveries, then each damage`,
    ...outcomes.flatMap((outcome) => [
      `  ${outcome.damage.name}: ${outcome.damage.describe(dataSet.damaged)}`,
      ...outcome.opened.flatMap(incidentLines),
      `    ${conclusion(outcome)}`,
    ]),
    `  ${base + redeliveries} undamaged deliveries in all: ${falseAlarms.length === 0 ? 'no false alarm' : `${falseAlarms.length} false alarms`}`,
    ...falseAlarms.flatMap(incidentLines),
  ];
  return lines.map(clip).join('\n');
}

function incidentLines({ id, alert_policy_name, severity, sentences }: RaisedIncident): readonly string[] {
  const more = sentences.length - SENTENCES_SHOWN;
  return [
    `    incident ${id} ${severity.padEnd(6)} ${alert_policy_name}`,
    ...sentences.slice(0, SENTENCES_SHOWN).map((sentence) => `      ${sentence}`),
    ...(more > 0 ? [`      and ${more} more`] : []),
  ];
}

function conclusion(outcome: DamageOutcome): string {
  if (outcome.opened.length === 0) return 'nobody noticed';
  const left = outcome.leftOpen.map(({ alert_policy_name }) => alert_policy_name);
  return left.length === 0 ? 'the undamaged delivery closed all of them' : `still open after the undamaged delivery: ${left.join(', ')}`;
}

/** True where the monitor that had to notice did. */
export function isCaught({ damage, opened }: DamageOutcome): boolean {
  return opened.some(({ alert_policy_id }) => alert_policy_id === damage.expected);
}

/** Incidents that the damage does not explain. */
export function falselyRaised({ damage, opened }: DamageOutcome): readonly RaisedIncident[] {
  const explained: readonly string[] = [damage.expected, ...damage.consequences];
  return opened.filter(({ alert_policy_id }) => !explained.includes(alert_policy_id));
}

/** Damage x data set: what was caught, what was falsely raised, and the false alarms of undamaged deliveries. */
export function trialTables(trials: readonly Trial[]): string {
  const names = trials.map(({ dataSet }) => dataSet.name);
  const rows = DAMAGES.flatMap(({ name, expected }) => {
    const outcomes = trials.map((trial) => trial.outcomes.find(({ damage }) => damage.name === name));
    return [
      [name, `caught by ${code(expected)}`, ...outcomes.map((outcome) => (outcome === undefined ? NOTHING : yesOrNo(isCaught(outcome))))],
      ['', 'noticed too', ...outcomes.map((outcome) => policies(outcome === undefined ? [] : noticedToo(outcome)))],
      ['', 'falsely raised', ...outcomes.map((outcome) => policies(outcome === undefined ? [] : falselyRaised(outcome)))],
      [
        '',
        'closed by the next delivery',
        ...outcomes.map((outcome) => (outcome === undefined ? NOTHING : yesOrNo(outcome.leftOpen.length === 0))),
      ],
    ];
  });
  return [
    markdownTable(['damage', '', ...names], rows),
    '',
    markdownTable(
      ['', ...names],
      [
        ['undamaged deliveries before the first damage', ...trials.map(({ base }) => String(base))],
        ['undamaged deliveries after it', ...trials.map(({ redeliveries }) => String(redeliveries))],
        ['false alarms', ...trials.map(({ falseAlarms }) => (falseAlarms.length === 0 ? 'none' : policies(falseAlarms)))],
      ],
    ),
  ].join('\n');
}

function noticedToo(outcome: DamageOutcome): readonly RaisedIncident[] {
  const consequences: readonly string[] = outcome.damage.consequences;
  return outcome.opened.filter(({ alert_policy_id }) => consequences.includes(alert_policy_id));
}

function policies(incidents: readonly RaisedIncident[]): string {
  return incidents.length === 0 ? NOTHING : incidents.map(({ alert_policy_name }) => alert_policy_name.toLowerCase()).join(', ');
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : '**no**';
}

function code(text: string): string {
  return `\`${text}\``;
}

function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function clip(line: string): string {
  return line.length <= LINE_WIDTH ? line : `${line.slice(0, LINE_WIDTH - 1)}…`;
}
