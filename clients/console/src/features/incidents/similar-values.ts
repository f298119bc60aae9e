// SPDX-License-Identifier: Apache-2.0
/** The past values most like that of an alert, as the alert lists them. */
import type { Alert } from '@sextant/sdk';

/** `note`: what people said of it; empty where they said nothing. */
export type SimilarValue = { readonly at: string; readonly text: string; readonly note: string };

type Listed = { readonly metric_time: string; readonly text: string; readonly is_excluded?: unknown; readonly is_expected?: unknown };

/** None of an alert that is not about a number. */
export function similarValuesOf({ violation_data: { similar } }: Pick<Alert, 'violation_data'>): readonly SimilarValue[] {
  if (!Array.isArray(similar)) return [];
  return similar.filter(isListed).map((listed) => ({ at: listed.metric_time, text: listed.text, note: noteOf(listed) }));
}

function isListed(one: unknown): one is Listed {
  if (typeof one !== 'object' || one === null || !('metric_time' in one) || !('text' in one)) return false;
  return typeof one.metric_time === 'string' && typeof one.text === 'string';
}

function noteOf({ is_excluded: isExcluded, is_expected: isExpected }: Listed): string {
  if (isExcluded === true) return 'excluded from learning';
  return isExpected === true ? 'expected' : '';
}
