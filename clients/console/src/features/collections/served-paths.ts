/** The paths of an OpenAPI document at which some operation can succeed. */
export function servedPathsOf(document: unknown): readonly string[] {
  return entriesOf(memberOf(document, 'paths'))
    .filter(([, operations]) => entriesOf(operations).some(([, operation]) => entriesOf(memberOf(operation, 'responses')).some(isSuccess)))
    .map(([path]) => path);
}

function isSuccess([status]: readonly [status: string, answer: unknown]): boolean {
  return status.startsWith('2');
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function memberOf(value: unknown, name: string): unknown {
  return entriesOf(value).find(([key]) => key === name)?.[1];
}
