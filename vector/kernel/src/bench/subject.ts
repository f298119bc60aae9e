/** The process of one subject: `subject.ts <name> <options as JSON>`. Answers the bench by IPC, one request at a time. */
import { type Library, openLibrary, SUBJECTS } from './libraries.ts';
import { type BenchOptions, vectorSet } from './vector-set.ts';

export type SubjectRequest =
  | { readonly kind: 'build' }
  | { readonly kind: 'widen'; readonly ef: number }
  | { readonly kind: 'search'; readonly from: number; readonly to: number };

/** `ms` is wall time for searches and processor time of the thread for a build, which is too long to run without being interrupted. */
export type SubjectReply = { readonly ms: number; readonly answers: readonly (readonly number[])[]; readonly residentBytes: number };

const [wanted, optionsJson] = process.argv.slice(2);
const name = SUBJECTS.find((subject) => subject === wanted);
if (name !== undefined && optionsJson !== undefined) serve(openLibrary(name, JSON.parse(optionsJson)), JSON.parse(optionsJson));

function serve(library: Library, options: BenchOptions): void {
  const { points, queries } = vectorSet(options);
  process.on('message', (request: SubjectRequest) => process.send?.(answer(request)));
  process.send?.('ready');

  function answer(request: SubjectRequest): SubjectReply {
    const { residentBytes, ms, answers } = run(request);
    return { ms, answers: answers.map((rows) => Array.from(rows)), residentBytes };
  }

  function run(request: SubjectRequest): { ms: number; answers: ArrayLike<number>[]; residentBytes: number } {
    const before = process.memoryUsage.rss();
    switch (request.kind) {
      case 'build': {
        const { user, system } = process.threadCpuUsage();
        library.add(points);
        const after = process.threadCpuUsage();
        return { ms: (after.user + after.system - user - system) / 1000, answers: [], residentBytes: process.memoryUsage.rss() - before };
      }
      case 'widen':
        library.widen(request.ef);
        return { ms: 0, answers: [], residentBytes: 0 };
      case 'search': {
        const started = performance.now();
        const answers = queries.slice(request.from, request.to).map((query) => library.search(query));
        return { ms: performance.now() - started, answers, residentBytes: 0 };
      }
    }
  }
}
