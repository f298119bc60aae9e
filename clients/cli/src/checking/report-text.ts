// SPDX-License-Identifier: Apache-2.0
/** The report of a check for people: what is wrong first, then what could not be checked, then some of the points at fault. */
import type { Finding, FindingStatus, VectorReport } from '@sextant/observability-scan/vectors';
import { count, duration } from '../terminal/figures.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { UNNAMED } from './checked-points.ts';

type Shown = {
  readonly source: string;
  readonly against: string | undefined;
  readonly seconds: number;
  readonly table: Terminal['table'];
};

const ORDER: readonly FindingStatus[] = ['failed', 'warned', 'not_checked', 'passed'];
const STATUS_WORDS: { readonly [status in FindingStatus]: string } = {
  failed: 'FAILED',
  warned: 'unusual',
  not_checked: 'not checked',
  passed: 'passed',
};
const SAMPLES_SHOWN = 20;

export function reportText({ points, dimensions, findings, samples }: VectorReport, { source, against, seconds, table }: Shown): string {
  const names = Object.entries(dimensions).map(([name, size]) => `${titleOf(name)} of ${count(size)} components`);
  const than = against === undefined ? '' : ` against ${against}`;
  const inOrder = ORDER.flatMap((status) => findings.filter((finding) => finding.status === status));
  const parts = [
    `Checked ${count(points)} points of ${source}${than} in ${duration(seconds)}: ${names.join(', ')}.`,
    summary(findings),
    table(
      ['check', 'vector', 'status', { title: 'found', align: 'right' }, { title: 'of', align: 'right' }, 'what'],
      inOrder.map(({ check, vector, status, found, of, detail }) => [
        check,
        vector === null ? '' : titleOf(vector),
        STATUS_WORDS[status],
        found === null ? '' : count(found),
        of === null ? '' : count(of),
        detail,
      ]),
    ),
  ];
  if (samples.length > 0) {
    const shown = samples.slice(0, SAMPLES_SHOWN).map(({ record_id: id, reason }) => [id, reason]);
    const omitted = samples.length - shown.length;
    parts.push(table(['point', 'what'], shown), ...(omitted > 0 ? [`${omitted} more with --json.`] : []));
  }
  return parts.join('\n\n');
}

/** What was not checked is said beside what was, since no finding is not the same as all being well. */
function summary(findings: readonly Finding[]): string {
  const number = (status: FindingStatus) => findings.filter((finding) => finding.status === status).length;
  const checks = (many: number) => (many === 1 ? '1 check' : `${many} checks`);
  const parts = [
    `${checks(number('failed'))} failed`,
    ...(number('warned') > 0 ? [`${checks(number('warned'))} found something unusual`] : []),
    `${number('passed')} passed`,
    ...(number('not_checked') > 0 ? [`${checks(number('not_checked'))} could not be run`] : []),
  ];
  return `${parts.join(', ')}.`;
}

function titleOf(name: string): string {
  return name === UNNAMED ? 'the vector' : name;
}
