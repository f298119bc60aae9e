// SPDX-License-Identifier: Apache-2.0
/** Schemas of what a scan proposes: cells that look wrong, and rules that the rows follow almost always. */
import { oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { answer, name, nullable, queryInteger, text, timestamp } from './value-schemas.ts';

/** What finds wrong cells; those of one name err for the same reasons. */
export const CELL_DETECTORS = ['missing', 'format', 'spelling', 'dictionary', 'number', 'dependency', 'relation'] as const;
export type CellDetector = (typeof CELL_DETECTORS)[number];

const VERDICTS = ['WRONG', 'RIGHT'] as const;

export const wrongCellSchema = answer('WrongCell', {
  /** Names the cell until the next scan finds others. */
  id: Type.String(),
  attribute: Type.String(),
  row_number: nullable(Type.Integer({ description: 'Number of the record in its file, from 1; null if the record has no number.' })),
  record_id: nullable(Type.String({ description: 'By the id attributes of the asset; null where it has none.' })),
  value: nullable(Type.String({ description: 'Personal data are masked.' })),
  score: Type.Number({ description: 'Confidence that the value is wrong, between 0 and 1.' }),
  reason: Type.String(),
  detectors: Type.Array(oneOf(...CELL_DETECTORS)),
  repair: nullable(Type.String({ description: 'The probable correct value, if one is certain.' })),
  /** What a person said of the value; null where nobody did. */
  verdict: nullable(oneOf(...VERDICTS)),
});
/** A cell that looks wrong. */
export type WrongCell = Static<typeof wrongCellSchema>;

const searched = {
  /** The scan that searched; null where none did. */
  job_id: nullable(Type.String()),
  metric_time: nullable(timestamp),
};

export const wrongCellsSchema = answer('WrongCells', {
  ...searched,
  rows_checked: nullable(Type.Integer({ description: 'Rows that were searched: all, or a sample of large tables.' })),
  cells_found: nullable(
    Type.Integer({ description: 'Number of cells that look wrong; only those with the highest confidence are listed.' }),
  ),
  /** Surest first. */
  cells: Type.Array(wrongCellSchema),
});

const ruleSupportSchema = answer('RuleSupport', {
  metric_time: timestamp,
  support: Type.Integer({ description: 'Number of rows that passed the rule.' }),
  exceptions: Type.Integer({ description: 'Number of rows that failed the rule.' }),
});
/** How many rows followed a rule in one search. */
export type RuleSupport = Static<typeof ruleSupportSchema>;

export const suggestedRuleSchema = answer('SuggestedRule', {
  id: Type.String(),
  /** In the rule language, ready for a monitor of type RULE. */
  expression: Type.String(),
  description: Type.String(),
  support: Type.Integer({ description: 'Number of rows that pass the rule.' }),
  exceptions: Type.Integer({ description: 'Number of rows that fail the rule.' }),
  history: Type.Array(ruleSupportSchema, {
    description: 'In the searches that suggested the rule, newest first, at most 60: what a monitor with it would have measured.',
  }),
  monitor_id: nullable(Type.String({ description: 'The monitor that has this rule; null where none does.' })),
});
/** A rule that the rows follow almost always. */
export type SuggestedRule = Static<typeof suggestedRuleSchema>;

export const suggestedRulesSchema = answer('SuggestedRules', { ...searched, rules: Type.Array(suggestedRuleSchema) });

export const wrongCellsQuerySchema = strict(
  { attribute: Type.Optional(text), limit: Type.Optional(queryInteger), offset: Type.Optional(queryInteger) },
  { title: 'WrongCellsQuery' },
);

export const putCellVerdictSchema = strict(
  { verdict: nullable(oneOf(...VERDICTS)) },
  { title: 'PutCellVerdict', description: 'Of the value in its attribute, wherever it stands; null takes the verdict back.' },
);

export const acceptRuleSchema = strict(
  { name: Type.Optional(name) },
  { title: 'AcceptSuggestedRule', description: 'Without a name, the description of the rule is the name of the monitor.' },
);

/** What one search found, as the scan hands it over. */
export type CellFindings = {
  readonly rowsChecked: number;
  readonly cellsFound: number;
  /** Surest first; personal data are masked. */
  readonly cells: readonly FoundCell[];
  readonly rules: readonly FoundRule[];
};

/** With the key of its value, by which verdicts are found. */
export type FoundCell = Omit<WrongCell, 'verdict'> & { readonly valueKey: string };
export type FoundRule = Omit<SuggestedRule, 'monitor_id' | 'history'>;

/** What a person said of a value, as the next search uses it. */
export type CellVerdict = {
  readonly attribute: string;
  readonly valueKey: string;
  /** Those that had proposed it. */
  readonly detectors: readonly CellDetector[];
  readonly isWrong: boolean;
};
