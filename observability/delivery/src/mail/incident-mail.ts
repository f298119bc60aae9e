// SPDX-License-Identifier: Apache-2.0
/** An incident as a mail of plain text. */
import { alertLines, facts, headline, type IncidentMessage, relatedLines, shortened, whyLines } from '../message.ts';

/** A line of a mail may have 998 characters; subjects are folded, but nobody reads more than this. */
const SUBJECT_LENGTH_MAX = 200;

export function incidentMail(message: IncidentMessage): { readonly subject: string; readonly text: string } {
  const { description } = message.incident;
  const paragraphs = [
    headline(message),
    description,
    alertLines(message)
      .map((line) => `- ${line}`)
      .join('\n'),
    listed('Why:', whyLines(message)),
    listed('Of the same cause:', relatedLines(message)),
    facts(message)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    message.link ?? '',
  ];
  return {
    subject: shortened(headline(message), SUBJECT_LENGTH_MAX),
    text: `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`,
  };
}

function listed(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `- ${line}`)].join('\n');
}
