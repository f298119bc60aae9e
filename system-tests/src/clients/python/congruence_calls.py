# SPDX-License-Identifier: Apache-2.0
"""The same calls answered by the service and by the client's own implementation in memory: `congruence_calls.py <REST url> <gRPC port> <seed> <rounds> [shards]`."""

import random
import sys
import warnings

from qdrant_client import AsyncQdrantClient, models
from verdict import TIMEOUT_SECONDS, held, main, run

NAME = "twins"
# The implementation in memory looks at each for every query.
POINTS = min(300, 40 * int(sys.argv[4]))
DENSE = {"text": (16, models.Distance.COSINE), "image": (24, models.Distance.DOT), "code": (8, models.Distance.EUCLID), "grid": (8, models.Distance.MANHATTAN)}
SPARSE, MULTI = "words", "tokens"
SPARSE_SIZE, MULTI_SIZE = 60, 8
CITIES = ["Rome", "Oslo", "Bergen", "Quito", "Lima", "Turin", "São Paulo", ""]
WORDS = ["red", "green", "blue", "small", "large", "round", "flat", "old", "new"]
# Both keep float32 and add in orders of their own; texts are compared exactly.
RELATIVE, ABSOLUTE = 1e-4, 1e-4


class Draws:
    """Points, filters and queries by chance, the same for one seed."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def floats(self, size):
        return [round(self.chance.gauss(0, 1), 3) for _ in range(size)]

    def sparse(self):
        indices = sorted(self.chance.sample(range(SPARSE_SIZE), self.chance.randint(1, 12)))
        return models.SparseVector(indices=indices, values=[round(self.chance.uniform(0.1, 2), 3) for _ in indices])

    def multi(self):
        return [self.floats(MULTI_SIZE) for _ in range(self.chance.randint(1, 4))]

    def vector(self, name):
        if name == SPARSE:
            return self.sparse()
        return self.multi() if name == MULTI else self.floats(DENSE[name][0])

    def vectors(self):
        names = [*DENSE, SPARSE, MULTI]
        return {name: self.vector(name) for name in names if self.chance.random() < 0.9}

    def payload(self):
        chance = self.chance
        members = {
            "city": lambda: chance.choice([chance.choice(CITIES), chance.sample(CITIES, 2), None, []]),
            "number": lambda: chance.choice([chance.randint(-5, 20), [chance.randint(0, 9), chance.randint(0, 9)], None]),
            "price": lambda: chance.choice([round(chance.uniform(0, 10), 2), chance.randint(0, 10)]),
            "flag": lambda: chance.choice([True, False]),
            "about": lambda: " ".join(chance.sample(WORDS, 3)),
            "when": lambda: f"2024-0{chance.randint(1, 9)}-1{chance.randint(0, 9)}T0{chance.randint(0, 9)}:00:00Z",
            "place": lambda: {"lon": round(chance.uniform(-20, 20), 3), "lat": round(chance.uniform(-20, 20), 3)},
            "parts": lambda: [{"kind": chance.choice(WORDS), "size": chance.randint(0, 5)} for _ in range(chance.randint(0, 3))],
            "nested": lambda: {"a": {"b": chance.randint(0, 5)}, "c": chance.choice(CITIES)},
            "exact": lambda: f"11111111-2222-4333-8444-55555555555{chance.randint(0, 9)}",
        }
        return {name: make() for name, make in members.items() if chance.random() < 0.8}

    def condition(self, depth=0):
        chance, field = self.chance, models.FieldCondition
        numbers = lambda: {chance.choice(["gt", "gte"]): chance.randint(-3, 6), chance.choice(["lt", "lte"]): chance.randint(5, 15)}
        point = lambda: models.GeoPoint(lon=round(chance.uniform(-20, 20), 3), lat=round(chance.uniform(-20, 20), 3))
        kinds = [
            lambda: field(key="city", match=models.MatchValue(value=chance.choice(CITIES))),
            lambda: field(key="city", match=models.MatchAny(any=chance.sample(CITIES, 2))),
            lambda: field(key="city", match=models.MatchExcept(**{"except": chance.sample(CITIES, 2)})),
            lambda: field(key="number", match=models.MatchAny(any=chance.sample(range(10), 3))),
            lambda: field(key="number", match=models.MatchValue(value=chance.randint(0, 9))),
            lambda: field(key="flag", match=models.MatchValue(value=chance.choice([True, False]))),
            lambda: field(key="about", match=models.MatchText(text=chance.choice(WORDS))),
            lambda: field(key="exact", match=models.MatchValue(value=f"11111111-2222-4333-8444-55555555555{chance.randint(0, 9)}")),
            lambda: field(key=chance.choice(["number", "price"]), range=models.Range(**numbers())),
            lambda: field(key="when", range=models.DatetimeRange(gte=f"2024-0{chance.randint(1, 9)}-11T00:00:00Z", lt="2024-09-15T03:00:00Z")),
            lambda: field(key=chance.choice(["city", "number", "parts"]), values_count=models.ValuesCount(gte=chance.randint(0, 2))),
            lambda: field(key="place", geo_radius=models.GeoRadius(center=point(), radius=chance.uniform(1e5, 2e6))),
            lambda: field(
                key="place",
                geo_bounding_box=models.GeoBoundingBox(top_left=models.GeoPoint(lon=-10, lat=15), bottom_right=models.GeoPoint(lon=12, lat=-9)),
            ),
            lambda: field(key="parts[].size", range=models.Range(gte=chance.randint(0, 4))),
            lambda: field(key="parts[].kind", match=models.MatchValue(value=chance.choice(WORDS))),
            lambda: field(key="nested.a.b", match=models.MatchValue(value=chance.randint(0, 5))),
            lambda: models.IsEmptyCondition(is_empty=models.PayloadField(key=chance.choice(["city", "number", "nested.c", "nowhere"]))),
            lambda: models.IsNullCondition(is_null=models.PayloadField(key=chance.choice(["city", "number", "nowhere"]))),
            lambda: models.HasIdCondition(has_id=chance.sample(range(1, POINTS), 40)),
            lambda: models.HasVectorCondition(has_vector=chance.choice([*DENSE, SPARSE, MULTI])),
            lambda: models.NestedCondition(
                nested=models.Nested(
                    key="parts",
                    filter=models.Filter(
                        must=[
                            field(key="kind", match=models.MatchValue(value=chance.choice(WORDS))),
                            field(key="size", range=models.Range(gte=chance.randint(0, 3))),
                        ]
                    ),
                )
            ),
        ]
        if depth < 2 and chance.random() < 0.15:
            return self.filter(depth + 1)
        return chance.choice(kinds)()

    def filter(self, depth=0):
        chance = self.chance
        conditions = lambda: [self.condition(depth) for _ in range(chance.randint(1, 2))]
        clauses = {name: conditions() for name in ["must", "should", "must_not"] if chance.random() < 0.5}
        if chance.random() < 0.15:
            clauses["min_should"] = models.MinShould(conditions=[self.condition(depth) for _ in range(3)], min_count=2)
        return models.Filter(**clauses) if clauses else models.Filter(must=conditions())

    def maybe_filter(self):
        return self.filter() if self.chance.random() < 0.6 else None

    def ids(self, count):
        return self.chance.sample(range(1, POINTS + 1), count)


def normal(value):
    """What can be compared: models as their members, without those that are absent."""
    if hasattr(value, "model_dump"):
        return {name: normal(each) for name, each in value if each is not None}
    if isinstance(value, dict):
        return {name: normal(each) for name, each in value.items()}
    return [normal(each) for each in value] if isinstance(value, (list, tuple)) else value


def close(a, b):
    return abs(a - b) <= ABSOLUTE + RELATIVE * max(abs(a), abs(b))


def same(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return not isinstance(a, (bool, str)) and not isinstance(b, (bool, str)) and a is not None and b is not None and close(a, b)
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[name], b[name]) for name in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def compare_hits(ours, theirs, call):
    """Equal scores in order; hits of one score in any order, and the last score may be cut anywhere among its hits."""
    assert len(ours) == len(theirs), f"{len(ours)} hits, not {len(theirs)}: {call}\n{[h.id for h in ours]}\n{[h.id for h in theirs]}"
    for place, (a, b) in enumerate(zip(ours, theirs)):
        assert close(a.score, b.score), f"score {a.score} of {a.id}, not {b.score} of {b.id}, at {place}: {call}"
    if not ours:
        return
    by_id = {hit.id: hit for hit in theirs}
    for hit in ours:
        other = by_id.get(hit.id)
        if other is None:
            assert close(hit.score, theirs[-1].score) or any(close(hit.score, each.score) for each in theirs), f"{hit.id} is not among the hits: {call}"
        else:
            assert same(normal(hit.payload), normal(other.payload)), f"payload of {hit.id}: {hit.payload}, not {other.payload}: {call}"
            assert same(normal(hit.vector), normal(other.vector)), f"vector of {hit.id}: {hit.vector}, not {other.vector}: {call}"


class Twins:
    def __init__(self, service, memory, draws, rounds):
        self.service, self.memory, self.draws, self.rounds = service, memory, draws, rounds

    async def both(self, name, *arguments, **options):
        return [await getattr(client, name)(NAME, *arguments, **options) for client in (self.service, self.memory)]

    async def hits(self, **options):
        ours, theirs = await self.both("query_points", **options)
        compare_hits(ours.points, theirs.points, options)

    async def equal(self, name, *arguments, **options):
        ours, theirs = map(normal, await self.both(name, *arguments, **options))
        assert same(ours, theirs), f"{name} {arguments} {options}: {ours}, not {theirs}"


async def stored_points(twins):
    await twins.equal("retrieve", list(range(1, POINTS + 1)), with_payload=True, with_vectors=True)


async def counts_and_scrolls(twins):
    for _ in range(twins.rounds * 3):
        chosen = twins.draws.filter()
        await twins.equal("count", chosen, exact=True)
        await twins.equal("scroll", scroll_filter=chosen, limit=20, with_payload=["city", "nested.a"], with_vectors=["code"])


async def searches(twins):
    for _ in range(twins.rounds):
        for name in [*DENSE, SPARSE, MULTI]:
            await twins.hits(query=twins.draws.vector(name), using=name, query_filter=twins.draws.maybe_filter(), limit=12, with_payload=True)


async def searches_by_id(twins):
    for name in [*DENSE, SPARSE, MULTI]:
        for point in twins.draws.ids(min(10, twins.rounds)):
            [record] = await twins.memory.retrieve(NAME, [point], with_vectors=True)
            if name in record.vector:
                await twins.hits(query=point, using=name, query_filter=twins.draws.maybe_filter(), limit=8, offset=3)


async def score_thresholds(twins):
    for name in DENSE:
        for threshold in [-1, 0.1, 2, 6]:
            await twins.hits(query=twins.draws.vector(name), using=name, score_threshold=threshold, limit=50)


async def recommendations(twins):
    chance = twins.draws.chance
    for _ in range(twins.rounds):
        name = chance.choice(list(DENSE))
        has = models.Filter(must=[models.HasVectorCondition(has_vector=name)])
        records, _ = await twins.memory.scroll(NAME, has, limit=POINTS, with_payload=False)
        known = [record.id for record in records]
        strategy = chance.choice(list(models.RecommendStrategy))
        examples = lambda least: chance.sample(known, chance.randint(least, 3)) + [twins.draws.vector(name)][: chance.randint(0, 1)]
        query = models.RecommendQuery(recommend=models.RecommendInput(positive=examples(1), negative=examples(0), strategy=strategy))
        await twins.hits(query=query, using=name, query_filter=twins.draws.maybe_filter(), limit=10)


async def discoveries_and_contexts(twins):
    chance = twins.draws.chance
    for _ in range(twins.rounds):
        name = chance.choice(list(DENSE))
        pairs = [models.ContextPair(positive=twins.draws.vector(name), negative=twins.draws.vector(name)) for _ in range(chance.randint(1, 3))]
        discover = models.DiscoverQuery(discover=models.DiscoverInput(target=twins.draws.vector(name), context=pairs))
        for query in [discover, models.ContextQuery(context=pairs)]:
            await twins.hits(query=query, using=name, query_filter=twins.draws.maybe_filter(), limit=10)


async def fusions(twins):
    chance = twins.draws.chance
    for _ in range(twins.rounds):
        # By distances the client's DBSF puts the farthest points first; the service turns them round.
        for fusion, of in [("rrf", [*DENSE, SPARSE]), ("dbsf", ["text", "image", SPARSE]), (7, [*DENSE, SPARSE])]:
            names = chance.sample(of, 2)
            prefetch = [models.Prefetch(query=twins.draws.vector(name), using=name, limit=20, filter=twins.draws.maybe_filter()) for name in names]
            query = models.RrfQuery(rrf=models.Rrf(k=fusion)) if fusion == 7 else models.FusionQuery(fusion=fusion)
            await twins.hits(prefetch=prefetch, query=query, limit=10)


async def rescoring(twins):
    for _ in range(twins.rounds):
        # The service applies an outer filter before the prefetches take their limit, as the published server does; the client applies it after.
        first = models.Prefetch(query=twins.draws.vector("image"), using="image", limit=40, filter=twins.draws.maybe_filter())
        await twins.hits(prefetch=first, query=twins.draws.vector("text"), using="text", limit=10)


async def formulas(twins):
    first = models.Prefetch(query=twins.draws.vector("image"), using="image", limit=60)
    is_oslo = models.FieldCondition(key="city", match=models.MatchValue(value="Oslo"))
    origin = models.GeoPoint(lon=0, lat=0)
    formulas = [
        models.SumExpression(sum=["$score", models.MultExpression(mult=[0.5, is_oslo])]),
        models.SumExpression(sum=["$score", "price"]),
        models.MultExpression(mult=["$score", models.NegExpression(neg="price")]),
        models.DivExpression(div=models.DivParams(left="$score", right=models.SumExpression(sum=[20.0, "price"]))),
        models.ExpDecayExpression(exp_decay=models.DecayParamsExpression(x="price", target=3, scale=2)),
        models.GaussDecayExpression(gauss_decay=models.DecayParamsExpression(x="price", target=3, scale=2, midpoint=0.3)),
        models.LinDecayExpression(lin_decay=models.DecayParamsExpression(x="price", target=3, scale=4)),
        models.AbsExpression(abs="$score"),
        models.SqrtExpression(sqrt=models.AbsExpression(abs="$score")),
        models.GeoDistance(geo_distance=models.GeoDistanceParams(origin=origin, to="place")),
    ]
    for formula in formulas:
        query = models.FormulaQuery(formula=formula, defaults={"price": 1.5, "place": {"lon": 1, "lat": 1}})
        await twins.hits(prefetch=first, query=query, limit=15)


async def diversity(twins):
    for name in ["text", "image", MULTI]:
        for diversity in [0, 0.3, 0.8, 1]:
            query = models.NearestQuery(nearest=twins.draws.vector(name), mmr=models.Mmr(diversity=diversity, candidates_limit=30))
            ours, theirs = await twins.both("query_points", query=query, using=name, limit=10)
            assert [hit.id for hit in ours.points] == [hit.id for hit in theirs.points], f"{name} {diversity}"


async def orders(twins):
    for key in ["price", "number", "when"]:
        for direction in models.Direction:
            order = models.OrderBy(key=key, direction=direction)
            ours, theirs = await twins.both("scroll", order_by=order, limit=1000, scroll_filter=twins.draws.maybe_filter(), with_payload=[key])
            assert len(ours[0]) == len(theirs[0]), f"{key} {direction}: {len(ours[0])} points, not {len(theirs[0])}"
            values = [[record.order_value for record in records] for records, _ in (ours, theirs)]
            assert values[0] == values[1], f"{key} {direction}"


async def facets(twins):
    for key in ["city", "number", "flag", "parts[].kind"]:
        chosen = twins.draws.maybe_filter()
        ours, theirs = await twins.both("facet", key=key, facet_filter=chosen, limit=100, exact=True)
        as_counts = [{(type(hit.value).__name__, hit.value): hit.count for hit in answer.hits} for answer in (ours, theirs)]
        assert as_counts[0] == as_counts[1], f"{key} {chosen}: {as_counts}"


async def groups(twins):
    for _ in range(twins.rounds):
        key = twins.draws.chance.choice(["city", "number"])
        options = {"group_by": key, "limit": 4, "group_size": 3, "query": twins.draws.vector("text"), "using": "text"}
        ours, theirs = await twins.both("query_points_groups", query_filter=twins.draws.maybe_filter(), **options)
        mine, other = [{group.id: [hit.id for hit in group.hits] for group in answer.groups} for answer in (ours, theirs)]
        assert mine == other, f"{options}: {mine}, not {other}"


async def changes(twins):
    """Writes of every kind by filter and by id, and what stands in the points after each."""
    chance = twins.draws.chance
    for _ in range(twins.rounds // 3):
        chosen = models.FilterSelector(filter=twins.draws.filter())
        # A write to a point that is not there is refused by the service, and nothing in the client.
        records, _ = await twins.memory.scroll(NAME, limit=POINTS, with_payload=False)
        ids = chance.sample([record.id for record in records], 5)
        name = chance.choice([*DENSE, SPARSE, MULTI])
        writes = [
            ("set_payload", {"payload": twins.draws.payload(), "points": chance.choice([chosen, ids])}),
            ("set_payload", {"payload": {"b": chance.randint(0, 9)}, "key": "nested.a", "points": ids}),
            ("overwrite_payload", {"payload": twins.draws.payload(), "points": ids}),
            ("delete_payload", {"keys": chance.sample(["city", "nested.a", "price", "nowhere"], 2), "points": chosen}),
            ("clear_payload", {"points_selector": ids[:1]}),
            ("update_vectors", {"points": [models.PointVectors(id=point, vector={name: twins.draws.vector(name)}) for point in ids]}),
            ("delete_vectors", {"vectors": [name], "points": ids[:2]}),
            ("upsert", {"points": [models.PointStruct(id=point, vector=twins.draws.vectors(), payload=twins.draws.payload()) for point in ids]}),
        ]
        for write, options in [*chance.sample(writes, 4), ("delete", {"points_selector": ids[:1]})]:
            await twins.both(write, **options)
        await stored_points(twins)


STEPS = [
    stored_points,
    counts_and_scrolls,
    searches,
    searches_by_id,
    score_thresholds,
    recommendations,
    discoveries_and_contexts,
    fusions,
    rescoring,
    formulas,
    diversity,
    orders,
    facets,
    groups,
    changes,
]


async def fill(client, draws, **settings):
    vectors = {name: models.VectorParams(size=size, distance=distance) for name, (size, distance) in DENSE.items()}
    comparator = models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)
    vectors[MULTI] = models.VectorParams(size=MULTI_SIZE, distance=models.Distance.DOT, multivector_config=comparator)
    await client.create_collection(NAME, vectors_config=vectors, sparse_vectors_config={SPARSE: models.SparseVectorParams()}, **settings)
    points = [models.PointStruct(id=point, vector=draws.vectors(), payload=draws.payload()) for point in range(1, POINTS + 1)]
    await client.upsert(NAME, points)
    schemas = {"city": "keyword", "number": "integer", "price": "float", "flag": "bool", "when": "datetime", "parts[].kind": "keyword", "about": "text"}
    for field, schema in schemas.items():
        await client.create_payload_index(NAME, field, field_schema=schema)


async def program(manner, url, grpc_port):
    seed, rounds = int(sys.argv[3]), int(sys.argv[4])
    # The implementation in memory says of each field index that it has none.
    warnings.simplefilter("ignore")
    service = AsyncQdrantClient(url=url, grpc_port=grpc_port, prefer_grpc=manner == "grpc", timeout=TIMEOUT_SECONDS)
    memory = AsyncQdrantClient(":memory:")
    await fill(service, Draws(seed), **held(5))
    await fill(memory, Draws(seed))
    return await run(STEPS, Twins(service, memory, Draws(seed + 1), rounds))


if __name__ == "__main__":
    main(program)
