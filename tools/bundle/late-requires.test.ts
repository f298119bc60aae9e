// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { withImports } from './late-requires.ts';

const isExternal = (name: string) => name === 'lmdb';

test('a package that a module requires late is imported', () => {
  const code = 'const a = () => __require("@grpc/grpc-js").a;\nconst b = () => __require("@grpc/grpc-js").b;\n';
  expect(withImports(code, isExternal)).toBe(
    'import * as lateRequired0 from "@grpc/grpc-js";\nconst a = () => lateRequired0.a;\nconst b = () => lateRequired0.b;\n',
  );
});

test.each(['require("x")', '__require("node:fs")', '__require("lmdb")', '__require(name)'])('%s stays as it is', (code) => {
  expect(withImports(code, isExternal)).toBeNull();
});
