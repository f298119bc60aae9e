// SPDX-License-Identifier: Apache-2.0
/** The variables of a ticket template, as docs/how-to/notifications-and-tickets.md lists it. */
export const VARIABLES: readonly { readonly name: string; readonly meaning: string }[] = [
  { name: 'incident.id', meaning: 'number of the incident' },
  { name: 'incident.description', meaning: 'what the incident is about' },
  { name: 'incident.status', meaning: 'OPEN or CLOSED' },
  { name: 'incident.created_time', meaning: 'when the incident opened' },
  { name: 'incident.tags', meaning: 'its tags' },
  { name: 'incident.why', meaning: 'probable causes that the scan found' },
  { name: 'incident.severity', meaning: 'LOW, MEDIUM or HIGH: how far outside the band' },
  { name: 'incident.impact', meaning: 'LOW, MEDIUM, HIGH or empty: how much the incident matters' },
  { name: 'asset.id', meaning: 'id of the asset' },
  { name: 'asset.name', meaning: 'name of the asset' },
  { name: 'asset.type', meaning: 'type of the asset' },
  { name: 'policy.id', meaning: 'id of the monitor' },
  { name: 'policy.name', meaning: 'name of the monitor' },
  { name: 'severity', meaning: 'the same as incident.severity' },
  { name: 'impact', meaning: 'the same as incident.impact' },
  { name: 'tenant', meaning: 'the tenant' },
  { name: 'link', meaning: 'where the incident is read' },
];

/** A variable as a text holds it. */
export function variable(name: string): string {
  return `\${${name}}`;
}

/** What is written of a variable before the caret; undefined where none is being written. */
export function variableBegun(text: string, caret: number): string | undefined {
  return /\$\{([\w.]*)$/.exec(text.slice(0, caret))?.[1];
}

/** The text with a variable at the caret, in place of what is written of it there, and where the caret is then. */
export function withVariable(text: string, caret: number, name: string): { readonly text: string; readonly caret: number } {
  const begun = variableBegun(text, caret);
  const start = begun === undefined ? caret : caret - begun.length - 2;
  // The rest of a variable that is written over goes with it.
  const rest = begun === undefined ? text.slice(caret) : text.slice(caret).replace(/^[\w.]*\}/, '');
  const written = variable(name);
  return { text: text.slice(0, start) + written + rest, caret: start + written.length };
}
