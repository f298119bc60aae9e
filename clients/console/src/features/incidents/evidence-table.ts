// SPDX-License-Identifier: Apache-2.0
/** Evidence as a table: a name and figures in each row. */
import type { IncidentEvidence } from '@sextant/sdk';
import { countText } from '../../ui/figures.ts';

export type EvidenceTable = {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [name: string, ...figures: string[]])[];
};

const DIGITS = 4;

/** Undefined where the sentences say all. */
export function evidenceTable(evidence: IncidentEvidence): EvidenceTable | undefined {
  switch (evidence.kind) {
    case 'RULE': {
      const { rule, failed, checked, segments } = evidence;
      if (segments.length === 0) return undefined;
      return {
        caption: `What the rows that fail ${rule} have in common`,
        columns: ['Rows with', 'Failed', 'Share of failed rows', 'Share of all rows', 'Lift'],
        rows: segments.map(({ failed: own, checked: all, lift, ...conditions }) => [
          conditionsText(conditions),
          `${countText(own)} of ${countText(all)}`,
          percentText((100 * own) / failed),
          percentText((100 * all) / checked),
          `${numberText(lift)}×`,
        ]),
      };
    }
    case 'DISTRIBUTION': {
      const { attribute, segment, measure, changes } = evidence;
      const figure = measure === 'SHARE' ? percentText : numberText;
      return {
        caption: `${attribute}${segment === null ? '' : ` where ${segment}`}, before and after`,
        columns: [measure === 'SHARE' ? 'Value' : 'Statistic', 'Before', 'After', 'Change'],
        rows: changes.map(({ name, before, after }) => [
          name,
          figureText(before, figure),
          figureText(after, figure),
          changeText(before, after, figure),
        ]),
      };
    }
    case 'SEGMENTS': {
      const { attribute, measure, segments } = evidence;
      const figure = measure === 'COMPLETENESS' ? percentText : numberText;
      return {
        caption: `Segments whose rows changed the ${measure === 'COMPLETENESS' ? 'completeness' : 'mean'} of ${attribute}`,
        columns: ['Rows with', 'Before', 'After', 'Rows', 'Share of the change'],
        rows: segments.map(({ before, after, rows_after, share, ...conditions }) => [
          conditionsText(conditions),
          figureText(before, figure),
          figureText(after, figure),
          countText(rows_after),
          percentText(100 * share),
        ]),
      };
    }
    case 'VOLUME': {
      const { segments, files = [] } = evidence;
      if (segments.length === 0 && files.length === 0) return undefined;
      return {
        caption: 'Segments whose number of rows changed',
        columns: ['Rows with', 'Before', 'After', 'Change'],
        rows: [
          ...files.map(({ name, ...rows }) => ({ title: `file ${name}`, ...rows })),
          ...segments.map(({ before, after, ...conditions }) => ({ title: conditionsText(conditions), before, after })),
        ].map(({ title, before, after }) => [
          title,
          figureText(before, countText),
          figureText(after, countText),
          changeText(before, after, countText),
        ]),
      };
    }
    case 'SCHEMA': {
      const { renames } = evidence;
      if (renames.length === 0) return undefined;
      return {
        caption: 'Columns that were probably renamed',
        columns: ['Old name', 'Probable new name', 'Agreement'],
        rows: renames.map(({ before, after, similarity }) => [before, after, percentText(100 * similarity)]),
      };
    }
  }
}

type Condition = { readonly attribute: string; readonly value: string | null };

/** All values that the rows have at once. */
function conditionsText({ attribute, value, also = [] }: Condition & { readonly also?: readonly Condition[] | undefined }): string {
  return [{ attribute, value }, ...also].map((each) => `${each.attribute} = ${each.value ?? '(null)'}`).join(' and ');
}

function figureText(value: number | null, figure: (value: number) => string): string {
  return value === null ? '–' : figure(value);
}

function changeText(before: number | null, after: number | null, figure: (value: number) => string): string {
  if (before === null && after === null) return '–';
  const change = (after ?? 0) - (before ?? 0);
  return `${change > 0 ? '+' : ''}${figure(change)}`;
}

function percentText(value: number): string {
  return `${Number(value.toPrecision(3))} %`;
}

function numberText(value: number): string {
  return String(Number(value.toPrecision(DIGITS)));
}
