/** What the service says that it has switched on; nothing, where it says something else. */
export function capabilitiesOf(answer: unknown): readonly string[] {
  const listed: unknown = typeof answer === 'object' && answer !== null && 'capabilities' in answer ? answer.capabilities : undefined;
  return Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : [];
}
