// SPDX-License-Identifier: Apache-2.0
/** Steps that look for points by examples: near their average, or by the similarity to each. */
import { type NamedVectorOutput, ServiceError } from '@sextant/contracts-vector';
import { bestScore, contextScore, discoverScore, feedbackWeights, sumScores } from './example-scores.ts';
import { searchByExamples } from './example-search.ts';
import type { Examples, ExampleVector } from './examples.ts';
import { allOf, examplesOf, except, type KindOf, nearestTo, passing, type Run, type Scored, type Step, vectorsOf } from './scored.ts';

type Feedback = KindOf<'relevance_feedback'>;
type ExampleQuery = KindOf<'recommend' | 'discover' | 'context' | 'relevance_feedback'>;

export async function nearAverage(run: Run, step: Step, { positive, negative }: KindOf<'recommend'>): Promise<readonly Scored[]> {
  const examples = await examplesOf(run, step.node);
  const averaged = (of: typeof positive) => Promise.all(of.map((example) => examples.averagedVectorOf(example)));
  const average = examples.average(await averaged(positive), await averaged(negative));
  return nearestTo(run, step, average, examples.idsIn([...positive, ...negative]));
}

export async function byExamples({ reads, collection }: Run, step: Step, query: ExampleQuery): Promise<readonly Scored[]> {
  const { node, filter, count, exact } = step;
  const examples = await examplesOf({ reads, collection }, node);
  if (query.kind === 'relevance_feedback') {
    const near = await nearTarget({ reads, collection }, step, { query, examples });
    if (near !== undefined) return near;
  }
  const { excluded, anchors, score } = await scorerOf(examples, query);
  const scoredAtOnce = Math.floor(examples.comparedAtOnce / excluded.length);
  const search = {
    using: node.using ?? '',
    filter: allOf([filter, except(examples.idsIn(excluded))]),
    params: { ...node.params, exact },
    count,
    anchors,
    scoredAtOnce,
    score,
  };
  return passing(node, await searchByExamples(reads, collection, search));
}

/** Where no rating is better than another, the target alone counts: a search by it, whose scores are multiplied by its coefficient. */
async function nearTarget(
  run: Run,
  step: Step,
  { query, examples }: { readonly query: Feedback; readonly examples: Examples },
): Promise<readonly Scored[] | undefined> {
  const { target, feedback, naive } = query;
  const vector = await examples.vectorOf(target);
  const isAlone = weightsOf(query).every((weight) => weight === 0);
  if (!isAlone || !(naive.a > 0) || !examples.isDescending || !(vector instanceof Float32Array)) return undefined;
  const judged = feedback.map(({ example }) => example);
  // Every example has to be there, as where there are ratings to weigh.
  await vectorsOf(examples, judged);
  const node = { ...step.node, score_threshold: null };
  const hits = await nearestTo(run, { ...step, node }, vector, examples.idsIn([target, ...judged]));
  const scored = hits.map(({ id, score, version }) => ({ id, score: Math.fround(naive.a * score), version }));
  return passing(step.node, scored);
}

function weightsOf({ feedback, naive }: Feedback): readonly number[] {
  return feedbackWeights(
    feedback.map(({ score }) => score),
    naive,
  );
}

async function scorerOf(examples: Examples, query: ExampleQuery) {
  const { similarity } = examples;
  const similarTo = async (vectors: readonly ExampleVector[]) => {
    const weighted = await Promise.all(vectors.map((vector) => examples.weighted(vector)));
    return (vector: NamedVectorOutput) => weighted.map((example) => similarity(example, vector));
  };
  if (query.kind === 'recommend') {
    const [positive, negative] = [await vectorsOf(examples, query.positive), await vectorsOf(examples, query.negative)];
    const [near, far] = [await similarTo(positive), await similarTo(negative)];
    const combine = query.strategy === 'best_score' ? bestScore : sumScores;
    const score = (vector: NamedVectorOutput) => combine(near(vector), far(vector));
    return { excluded: [...query.positive, ...query.negative], anchors: positive, score };
  }
  if (query.kind === 'relevance_feedback') {
    const judged = query.feedback.map(({ example }) => example);
    const [target, vectors] = [await examples.vectorOf(query.target), await vectorsOf(examples, judged)];
    const feedback = weightsOf(query);
    const weights = [query.naive.a, ...feedback];
    refuseInfinite(weights);
    const toAll = await similarTo([target, ...vectors]);
    const score = (vector: NamedVectorOutput) =>
      toAll(vector).reduce((sum, similarity, index) => sum + similarity * (weights[index] ?? 0), 0);
    const liked = vectors.filter((_, index) => (feedback[index] ?? 0) > 0);
    return { excluded: [query.target, ...judged], anchors: [target, ...liked], score };
  }
  const positives = query.context.map(({ positive }) => positive);
  const negatives = query.context.map(({ negative }) => negative);
  const [near, far] = [await vectorsOf(examples, positives), await vectorsOf(examples, negatives)];
  const [toPositive, toNegative] = [await similarTo(near), await similarTo(far)];
  const pairsOf = (vector: NamedVectorOutput) => {
    const negativeSimilarities = toNegative(vector);
    return toPositive(vector).map((positive, index) => ({ positive, negative: negativeSimilarities[index] ?? 0 }));
  };
  if (query.kind === 'context') {
    return { excluded: [...positives, ...negatives], anchors: near, score: (vector: NamedVectorOutput) => contextScore(pairsOf(vector)) };
  }
  const target = await examples.vectorOf(query.target);
  const toTarget = await similarTo([target]);
  const score = (vector: NamedVectorOutput) => discoverScore(toTarget(vector)[0] ?? 0, pairsOf(vector));
  return { excluded: [query.target, ...positives, ...negatives], anchors: [target, ...near], score };
}

function refuseInfinite(weights: readonly number[]): void {
  if (weights.every(Number.isFinite)) return;
  throw new ServiceError('invalid_request', {
    reason: 'query.relevance_feedback.strategy.naive: the coefficients are too large for these scores; use smaller ones',
  });
}
