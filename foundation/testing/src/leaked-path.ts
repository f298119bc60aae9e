// SPDX-License-Identifier: Apache-2.0
/** Refusals say nothing about where a server keeps its data. Test servers ask about every answer, so that each test over HTTP looks for such a path. */

type Exchanged = {
  /** The address and the body of the request, as far as they are text: a path that the caller has named may be named again. */
  readonly sent: string;
  readonly status: number;
  readonly text: string;
};

/** @returns what is wrong with the answer; undefined where it names no path below `directory` */
export function leakedPath(directory: string, { sent, status, text }: Exchanged): string | undefined {
  if (status < 400 || sent.includes(directory) || !text.includes(directory)) return undefined;
  return `a refusal of status ${status} names a path of the server: ${text.slice(0, 300)}`;
}
