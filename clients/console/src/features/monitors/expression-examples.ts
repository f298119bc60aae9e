// SPDX-License-Identifier: Apache-2.0
/** Expressions to begin with, and names as the language of rules writes them. A test holds that the service reads each. */
import type { Attribute } from '@sextant/sdk';

export type Example = {
  readonly label: string;
  readonly text: string /** Of the attribute; any where it is left out. */;
  readonly types?: readonly DataType[];
};
type DataType = Attribute['data_type'];
type Typed = Pick<Attribute, 'name' | 'data_type'>;

const NUMBERS: readonly DataType[] = ['INTEGER', 'DECIMAL'];
const TEXTS: readonly DataType[] = ['STRING'];
const TIMES: readonly DataType[] = ['DATE', 'TIMESTAMP'];

/** Stands for an attribute of the asset. */
const ATTRIBUTE_PLACE = '{attribute}';

const EXAMPLES: Readonly<Record<'rule' | 'metric' | 'sql', readonly Example[]>> = {
  rule: [
    { label: 'A number within bounds', text: 'VALIDATE {attribute} EXPECT NUMERIC_VALUE IN_RANGE [0, 100]', types: NUMBERS },
    { label: 'One of some values', text: "VALIDATE {attribute} EXPECT VALUE IN ('a', 'b')", types: TEXTS },
    { label: 'A value is present', text: 'VALIDATE {attribute} EXPECT NOT IS_NULL' },
    { label: 'An e-mail address', text: 'VALIDATE {attribute} EXPECT IS_EMAIL', types: TEXTS },
    { label: 'A text with a pattern', text: "VALIDATE {attribute} EXPECT EXPANDED_PATTERN = 'LLL-DDD'", types: TEXTS },
    { label: 'Every value is unique', text: 'VALIDATE {attribute} EXPECT FREQUENCY = 1' },
    {
      label: 'A date in the last seven days',
      text: 'VALIDATE {attribute} EXPECT DATE_TIME_VALUE IN_RANGE [@now - 7d, @now]',
      types: TIMES,
    },
    { label: 'If this, then that', text: "VALIDATE {attribute} <> 'paid' OR {attribute} IS NULL EXPECT IS_TRUE", types: TEXTS },
  ],
  metric: [
    { label: 'A sum', text: 'sum({attribute})', types: NUMBERS },
    { label: 'A mean per record', text: 'sum({attribute}) / count(*)', types: NUMBERS },
    { label: 'Distinct values in percent', text: 'count(distinct {attribute}) * 100 / count(*)' },
    { label: 'A range per group', text: 'max({attribute}) - min({attribute}) GROUP BY {attribute}', types: NUMBERS },
  ],
  sql: [
    { label: 'A count', text: 'SELECT count(*) FROM asset' },
    { label: 'Different values', text: 'SELECT count(DISTINCT {attribute}) FROM asset' },
  ],
};

/** Those that an attribute of the asset fits, with it in its place; all of them, of no asset, where its attributes are not known yet. */
export function examplesFor(kind: keyof typeof EXAMPLES, attributes: readonly Typed[]): readonly Example[] {
  return EXAMPLES[kind].flatMap((example) => {
    const { text, types } = example;
    const fitting = attributes.find(({ data_type }) => types === undefined || types.includes(data_type));
    if (fitting === undefined && attributes.length > 0) return [];
    return [{ ...example, text: text.replaceAll(ATTRIBUTE_PLACE, quotedIn(kind, fitting?.name ?? 'attribute')) }];
  });
}

/** As the language of the kind quotes a name: always, for of ten words too many in quotes, none is wrong. */
export function quotedIn(kind: keyof typeof EXAMPLES, name: string): string {
  const quote = kind === 'sql' ? '"' : '`';
  return quote + name.replaceAll(quote, quote + quote) + quote;
}
