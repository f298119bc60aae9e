/** JSON as people read it. Ids beyond 2^53 are bigints, which the platform writes when they are marked as raw text. */

// The platform's types do not know `JSON.rawJSON` yet.
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => object };

export function jsonText(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, (_key, each: unknown) => (typeof each === 'bigint' ? rawJSON(each.toString()) : each), indent);
  return text ?? 'null';
}
