// SPDX-License-Identifier: Apache-2.0
/** Evidence in words, for mails, tickets and whoever reads. */
import type { IncidentEvidence, SchemaChange } from '@sextant/contracts-observability';
import { formatted } from '../evaluation/sentence.ts';

/** Of one incident. */
const SENTENCES_MAX = 12;
/** Values of a distribution that one sentence has. */
const CHANGES_SHOWN = 3;
const VALUE_LENGTH_MAX = 60;

export function whySentences(evidence: readonly IncidentEvidence[]): readonly string[] {
  return evidence.flatMap(sentencesOf).slice(0, SENTENCES_MAX);
}

function sentencesOf(evidence: IncidentEvidence): readonly string[] {
  switch (evidence.kind) {
    case 'RULE':
      return ruleSentences(evidence);
    case 'DISTRIBUTION':
      return [distributionSentence(evidence)];
    case 'SEGMENTS':
      return segmentSentences(evidence);
    case 'VOLUME':
      return volumeSentences(evidence);
    case 'SCHEMA':
      return schemaSentences(evidence);
  }
}

function ruleSentences({ rule, checked, failed, segments, unexplained }: Extract<IncidentEvidence, { kind: 'RULE' }>): readonly string[] {
  const whole = `${count(failed)} of ${count(checked)} rows fail the rule \`${rule}\`.`;
  if (unexplained !== undefined) return [whole, `What they have in common could not be computed: ${unexplained}.`];
  const [first] = segments;
  if (first === undefined) return [whole];
  const who = first.failed === failed ? `All ${count(failed)} failing rows` : `${count(first.failed)} of the ${count(failed)} failing rows`;
  const share = percent((100 * first.checked) / checked);
  return [whole, `${who} have ${equations(first)}, which ${share} of all rows have.`];
}

function distributionSentence({
  attribute,
  segment,
  measure,
  changes,
  factor,
}: Extract<IncidentEvidence, { kind: 'DISTRIBUTION' }>): string {
  const where = segment === null ? '' : ` where ${segment}`;
  if (factor !== null) {
    return `The values of \`${attribute}\`${where} are about ${formatted(factor, 2)} times what they were: the unit may have changed.`;
  }
  const byMove = changes.toSorted((one, other) => relativeMove(other) - relativeMove(one));
  const moves = (measure === 'SHARE' ? changes : byMove).slice(0, CHANGES_SHOWN).map(({ name, before, after }) => {
    const shown = (value: number | null): string => (value === null ? 'nothing' : measure === 'SHARE' ? percent(value) : formatted(value));
    return `${measure === 'SHARE' ? `\`${cut(name)}\`` : name} went from ${shown(before)} to ${shown(after)}`;
  });
  return `Of \`${attribute}\`${where}, ${moves.join(', ')}.`;
}

function relativeMove({ before, after }: { readonly before: number | null; readonly after: number | null }): number {
  if (before === null || after === null) return Number.POSITIVE_INFINITY;
  return Math.abs(after - before) / Math.max(Math.abs(before), Math.abs(after), Number.MIN_VALUE);
}

function segmentSentences({ attribute, measure, segments }: Extract<IncidentEvidence, { kind: 'SEGMENTS' }>): readonly string[] {
  const [first] = segments;
  if (first === undefined) return [];
  const what = measure === 'MEAN' ? `the mean of \`${attribute}\`` : `the completeness of \`${attribute}\``;
  const shown = (value: number | null): string => (value === null ? 'nothing' : measure === 'MEAN' ? formatted(value) : percent(value));
  const made = first.share > 1 ? 'all of' : `${percent(100 * first.share)} of`;
  return [
    `Rows with ${equations(first)} account for ${made} the change of ${what}: there it went from ${shown(first.before)} (${count(first.rows_before)} rows) to ${shown(first.after)} (${count(first.rows_after)} rows).`,
  ];
}

type VolumeFile = NonNullable<Extract<IncidentEvidence, { kind: 'VOLUME' }>['files']>[number];

function volumeSentences({ before, after, segments, files = [] }: Extract<IncidentEvidence, { kind: 'VOLUME' }>): readonly string[] {
  if (before === null) return [];
  const change = after - before;
  const relative = before === 0 ? '' : ` (${change > 0 ? '+' : ''}${formatted((100 * change) / before, 2)} %)`;
  return [
    `${count(after)} rows, ${count(before)} at the previous scan${relative}.`,
    ...files.slice(0, CHANGES_SHOWN).map(fileSentence),
    ...segments.slice(0, CHANGES_SHOWN).map((part) => {
      const share = percent((100 * (part.after - part.before)) / change);
      const what = change < 0 ? 'of the missing rows' : 'of the additional rows';
      const those = (part.also ?? []).length === 0 ? 'it' : 'them';
      return `${count(part.after)} rows have ${equations(part)}, ${count(part.before)} had ${those} before: ${share} ${what}.`;
    }),
  ];
}

function fileSentence({ name, before, after }: VolumeFile): string {
  const file = `The file \`${cut(name)}\``;
  if (after === null) return `${file} is missing: it had ${count(before ?? 0)} rows.`;
  if (before === null) return `${file} is new: it has ${count(after)} rows.`;
  return `${file} has ${count(after)} rows, it had ${count(before)}.`;
}

function schemaSentences({ changes, renames }: Extract<IncidentEvidence, { kind: 'SCHEMA' }>): readonly string[] {
  const renamed = new Set(renames.flatMap(({ before, after }) => [`-${before}`, `+${after}`]));
  const others = changes.filter(
    ({ kind, attribute }) => !renamed.has(`${kind === 'REMOVED' ? '-' : '+'}${attribute}`) || kind === 'RETYPED',
  );
  return [
    ...renames.map(
      ({ before, after, similarity }) =>
        `\`${before}\` is gone and \`${after}\` is new: likely renamed (names and values agree by ${percent(100 * similarity)}).`,
    ),
    ...others.map(changeSentence),
  ];
}

function changeSentence({ kind, attribute, before, after }: SchemaChange): string {
  switch (kind) {
    case 'ADDED':
      return `\`${attribute}\` of type ${after} is new.`;
    case 'REMOVED':
      return `\`${attribute}\` of type ${before} is gone.`;
    case 'RETYPED':
      return `\`${attribute}\` changed its type from ${before} to ${after}.`;
  }
}

type Condition = { readonly attribute: string; readonly value: string | null };

/** Of all values that the rows have at once. */
function equations({ also = [], ...first }: Condition & { readonly also?: readonly Condition[] }): string {
  const said = [first, ...also].map(equation);
  const last = said.at(-1) ?? '';
  return said.length === 1 ? last : `${said.slice(0, -1).join(', ')} and ${last}`;
}

function equation({ attribute, value }: Condition): string {
  return value === null ? `no value in \`${attribute}\`` : `${attribute} = ${cut(value)}`;
}

function cut(value: string): string {
  return value.length <= VALUE_LENGTH_MAX ? value : `${value.slice(0, VALUE_LENGTH_MAX - 1).toWellFormed()}…`;
}

function percent(value: number): string {
  return `${formatted(value, 2)} %`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
