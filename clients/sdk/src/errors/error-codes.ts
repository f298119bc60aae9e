// SPDX-License-Identifier: Apache-2.0
/** Which code a refusal has. The wire carries a status and a sentence; the sentence comes from the catalogue of the service. */

/** `{name}` in a sentence stands for anything. */
export type ErrorRow = { readonly code: string; readonly status: number; readonly grpc?: string; readonly sentence: string };

/** The code of the row of this status whose sentence it is. A sentence that no catalogue has, of a proxy for example, has the code `http_<status>`. */
export function errorCode(catalogue: readonly ErrorRow[], status: number, sentence: string): string {
  const row = matchingRow(
    catalogue.filter((candidate) => candidate.status === status),
    sentence,
  );
  return row?.code ?? `http_${status}`;
}

/** The row whose sentence it is; of several rows, the one that says most in words of its own. */
export function matchingRow(rows: readonly ErrorRow[], sentence: string): ErrorRow | undefined {
  const fitting = rows.filter((row) => patternOf(row.sentence).test(sentence));
  return fitting.toSorted((a, b) => ownWords(b.sentence) - ownWords(a.sentence))[0];
}

const HOLE = /\{\w+\}/g;

function patternOf(sentence: string): RegExp {
  const parts = sentence.split(HOLE).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`);
}

function ownWords(sentence: string): number {
  return sentence.replaceAll(HOLE, '').length;
}

/** Sentences on members of a connection or an asset begin with them and go on without a colon. */
const IN_CONNECTION = /^((?:payload|credential)(?:\.\w+)+) /;

/** Where a sentence such as ``points[3].vector: expected an array`` points to; undefined where it speaks of the whole request. */
export function fieldOf(sentence: string): string | undefined {
  const [, place] = /^([A-Za-z_][\w.[\]"-]*): /.exec(sentence) ?? IN_CONNECTION.exec(sentence) ?? [];
  const [, missing] = /required member `([^`]+)` is missing/.exec(sentence) ?? [];
  const path = place === undefined || place === 'body' ? [] : [place];
  const whole = [...path, ...(missing === undefined ? [] : [missing])];
  return whole.length === 0 ? undefined : whole.join('.');
}
