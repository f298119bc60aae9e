// SPDX-License-Identifier: Apache-2.0
/** Names violations within their asset. */

/** What a violation is about. Two of one monitor and one scan never have the same. */
export type Subject = {
  readonly attribute: string | null;
  readonly segment: string | null;
  /** The rule or expression that was measured, where the monitor watches several. */
  readonly ruleId: string | null;
  /** The asset to which this one was compared. */
  readonly parentId: string | null;
};

/**
 * `FEATURE.<monitor>.<attribute>` or `DATA.<monitor>`, followed where there are any by `.rule=<id>`, `.parent=<id>` and
 * `.segment=<segment>`. The same at each scan, whatever metric of the subject is furthest outside. Dots and percent signs within a part
 * are percent-encoded.
 */
export function violationName(monitorId: string, { attribute, segment, ruleId, parentId }: Subject): string {
  const parts = [attribute === null ? 'DATA' : 'FEATURE', encode(monitorId)];
  if (attribute !== null) parts.push(encode(attribute));
  if (ruleId !== null && ruleId !== monitorId) parts.push(`rule=${encode(ruleId)}`);
  if (parentId !== null) parts.push(`parent=${encode(parentId)}`);
  if (segment !== null) parts.push(`segment=${encode(segment)}`);
  return parts.join('.');
}

function encode(part: string): string {
  return part.replaceAll('%', '%25').replaceAll('.', '%2E');
}
