// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { hasHeader, isSource, withHeader } from './spdx-header.ts';

const LINE = 'SPDX-License-Identifier: Apache-2.0';

test.each([
  ['a.ts', 'const a = 1;\n', `// ${LINE}\nconst a = 1;\n`],
  ['a.css', 'a {}\n', `/* ${LINE} */\na {}\n`],
  ['a.sh', '#!/bin/sh\nset -eu\n', `#!/bin/sh\n# ${LINE}\nset -eu\n`],
  ['bin.mjs', '#!/usr/bin/env node\n', `#!/usr/bin/env node\n// ${LINE}\n`],
  ['a.py', '', `# ${LINE}\n`],
])('%s gets its line, and once', (path, before, after) => {
  expect([hasHeader(path, before), hasHeader(path, after)]).toEqual([false, true]);
  expect(withHeader(path, before)).toBe(after);
  expect(withHeader(path, after)).toBe(after);
});

test('what is generated, and what is no source, has none', () => {
  expect(['a/b.ts', 'a.md', 'a.json', 'codes.generated.ts', 'Dockerfile'].map(isSource)).toEqual([true, false, false, false, false]);
});
