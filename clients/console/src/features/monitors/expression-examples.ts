/** Expressions to begin with, and names as the language of rules writes them. A test holds that the service reads each. */

export type Example = { readonly label: string; readonly text: string };

/** Stands for an attribute of the asset. */
export const ATTRIBUTE_PLACE = '{attribute}';

export const EXAMPLES: Readonly<Record<'rule' | 'metric' | 'sql', readonly Example[]>> = {
  rule: [
    { label: 'A number within bounds', text: 'VALIDATE {attribute} EXPECT NUMERIC_VALUE IN_RANGE [0, 100]' },
    { label: 'One of some values', text: "VALIDATE {attribute} EXPECT VALUE IN ('a', 'b')" },
    { label: 'There is a value', text: 'VALIDATE {attribute} EXPECT NOT IS_NULL' },
    { label: 'An e-mail address', text: 'VALIDATE {attribute} EXPECT IS_EMAIL' },
    { label: 'A text of a pattern', text: "VALIDATE {attribute} EXPECT EXPANDED_PATTERN = 'LLL-DDD'" },
    { label: 'Every value comes once', text: 'VALIDATE {attribute} EXPECT FREQUENCY = 1' },
    { label: 'A date of the last seven days', text: 'VALIDATE {attribute} EXPECT DATE_TIME_VALUE IN_RANGE [@now - 7d, @now]' },
    { label: 'If this, then that', text: "VALIDATE {attribute} <> 'paid' OR {attribute} IS NULL EXPECT IS_TRUE" },
  ],
  metric: [
    { label: 'A sum', text: 'sum({attribute})' },
    { label: 'A mean for each record', text: 'sum({attribute}) / count(*)' },
    { label: 'Different values in percent', text: 'count(distinct {attribute}) * 100 / count(*)' },
    { label: 'A range for each group', text: 'max({attribute}) - min({attribute}) GROUP BY {attribute}' },
  ],
  sql: [
    { label: 'A count', text: 'SELECT count(*) FROM asset' },
    { label: 'Different values', text: 'SELECT count(DISTINCT {attribute}) FROM asset' },
  ],
};

/** In backticks where the bare name could be read otherwise; of ten words too many in backticks, none is wrong. */
export function quotedName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}
