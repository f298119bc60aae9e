/** The process of one peer: `main.ts <name> <workload directory>`. Answers requests of the bench by IPC, one at a time. */

import type { SearchRun } from '../subject.ts';
import { loadWorkload, SELECTIONS } from '../workload.ts';
import { openPeer } from './libraries.ts';
import { PEERS, type PeerReply, type PeerRequest } from './protocol.ts';

const [wanted, directory = ''] = process.argv.slice(2);
const name = PEERS.find((peer) => peer === wanted);
if (name === undefined) throw new Error(`no peer is called ${wanted}`);
const workload = await loadWorkload(directory);
const library = openPeer(name, workload);

process.on('message', (request: PeerRequest) => process.send?.(answer(request)));
process.send?.('ready');

function answer(request: PeerRequest): PeerReply {
  switch (request.kind) {
    case 'build': {
      const startedMs = performance.now();
      library.add(workload.points);
      return { kind: 'build', build: { uploadSeconds: undefined, seconds: (performance.now() - startedMs) / 1000 } };
    }
    case 'search':
      return { kind: 'search', run: search(request.selection) };
    case 'memory':
      return { kind: 'memory', residentBytes: process.memoryUsage.rss() };
  }
}

function search(selection: number): SearchRun {
  const { values, count, dimension } = workload.queries;
  const field = SELECTIONS[selection]?.field === undefined ? undefined : workload.fields[selection];
  const latenciesMs: number[] = [];
  const answers: (readonly number[])[] = [];
  // What a filter needs once is not part of any search.
  library.search(values.subarray(0, dimension), field);
  for (let query = 0; query < count; query++) {
    const vector = values.subarray(query * dimension, (query + 1) * dimension);
    const startedMs = performance.now();
    answers.push(library.search(vector, field));
    latenciesMs.push(performance.now() - startedMs);
  }
  return { latenciesMs, answers };
}
