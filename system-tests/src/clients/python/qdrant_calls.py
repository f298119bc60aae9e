# SPDX-License-Identifier: Apache-2.0
"""Every public method of qdrant-client, sync and async, over REST and gRPC: `qdrant_calls.py <REST url> <gRPC port> [shards]`."""

import warnings
from datetime import datetime

from qdrant_client import AsyncQdrantClient, QdrantClient, models
from verdict import TIMEOUT_SECONDS, Calls, held, main, public_methods, refused, run

NAME = "cities"
CITIES = [
    models.PointStruct(id=1, vector=[0.05, 0.61, 0.76, 0.74], payload={"city": "Berlin", "population": 3_700_000, "capital": True}),
    models.PointStruct(id=2, vector=[0.19, 0.81, 0.75, 0.11], payload={"city": "London", "population": 8_900_000, "capital": True}),
    models.PointStruct(id=3, vector=[0.36, 0.55, 0.47, 0.94], payload={"city": "Hamburg", "population": 1_900_000, "capital": False}),
    models.PointStruct(id=4, vector=[0.18, 0.01, 0.85, 0.80], payload={"city": "Lyon", "founded": "2000-01-01T00:00:00Z"}),
]
QUERY = [0.2, 0.1, 0.9, 0.7]
UUID = "11111111-2222-4333-8444-555555555555"
IS_BERLIN = models.Filter(must=[models.FieldCondition(key="city", match=models.MatchValue(value="Berlin"))])


def completed(result):
    assert result.status == models.UpdateStatus.COMPLETED, result


async def service(client):
    info = await client.info()
    assert "sextant" in info.title, info


async def collections(client):
    assert await client.create_collection("other", vectors_config=models.VectorParams(size=4, distance=models.Distance.DOT))
    assert await client.collection_exists("other") and not await client.collection_exists("none")
    await refused(client.create_collection("other", vectors_config=models.VectorParams(size=4, distance=models.Distance.DOT)), "already exists")
    assert await client.update_collection("other", optimizers_config=models.OptimizersConfigDiff(indexing_threshold=5000), metadata={"a": 1})
    info = await client.get_collection("other")
    assert info.status == models.CollectionStatus.GREEN and info.optimizer_status == models.OptimizersStatusOneOf.OK, info
    assert info.config.optimizer_config.indexing_threshold == 5000 and info.config.metadata == {"a": 1}, info
    names = {collection.name for collection in (await client.get_collections()).collections}
    assert {"other", NAME} <= names, names
    assert await client.delete_collection("other")
    await refused(client.get_collection("other"), "other")


async def every_setting_of_a_collection(client):
    dense = models.VectorParams(
        size=8,
        distance=models.Distance.COSINE,
        on_disk=True,
        datatype=models.Datatype.FLOAT16,
        hnsw_config=models.HnswConfigDiff(m=8, ef_construct=50),
        quantization_config=models.ScalarQuantization(scalar=models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99)),
    )
    tokens = models.VectorParams(
        size=4,
        distance=models.Distance.DOT,
        multivector_config=models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM),
    )
    await client.create_collection(
        "full",
        vectors_config={"dense": dense, "tokens": tokens},
        sparse_vectors_config={"words": models.SparseVectorParams(modifier=models.Modifier.IDF, index=models.SparseIndexParams(on_disk=True))},
        on_disk_payload=True,
        hnsw_config=models.HnswConfigDiff(m=12),
        optimizers_config=models.OptimizersConfigDiff(indexing_threshold=0),
        wal_config=models.WalConfigDiff(wal_capacity_mb=32),
        quantization_config=models.BinaryQuantization(binary=models.BinaryQuantizationConfig(always_ram=True)),
        strict_mode_config=models.StrictModeConfig(enabled=True, max_query_limit=100),
        metadata={"owner": "tests"},
        shard_number=1,
        replication_factor=1,
    )
    info = await client.get_collection("full")
    assert info.config.params.sparse_vectors["words"].modifier == models.Modifier.IDF, info
    assert info.config.params.vectors["tokens"].multivector_config.comparator == models.MultiVectorComparator.MAX_SIM, info
    assert info.config.strict_mode_config.max_query_limit == 100, info
    vectors = {"dense": [0.1] * 8, "tokens": [[1, 0, 0, 0], [0, 1, 0, 0]], "words": models.SparseVector(indices=[3, 7], values=[0.5, 1.5])}
    completed(await client.upsert("full", [models.PointStruct(id=UUID, vector=vectors, payload={})]))
    [record] = await client.retrieve("full", [UUID], with_vectors=True)
    assert record.id == UUID and record.vector["words"].indices == [3, 7] and len(record.vector["tokens"]) == 2, record
    for name, query in [("words", vectors["words"]), ("tokens", [[1, 0, 0, 0]]), ("dense", [0.1] * 8)]:
        assert (await client.query_points("full", query, using=name)).points[0].id == UUID, name
    completed(await client.delete_vectors("full", vectors=["tokens"], points=[UUID]))
    completed(await client.create_vector_name("full", "later", models.DenseVectorNameConfig(dense=models.DenseVectorConfig(size=2, distance=models.Distance.DOT))))
    completed(await client.delete_vector_name("full", "later"))
    await client.delete_collection("full")


async def a_collection_of_sparse_vectors_alone(client):
    assert await client.create_collection("sparse", sparse_vectors_config={"words": models.SparseVectorParams()})
    vector = models.SparseVector(indices=[1, 5], values=[1.0, 2.0])
    completed(await client.upsert("sparse", [models.PointStruct(id=1, vector={"words": vector}, payload={"a": 1})]))
    [hit] = (await client.query_points("sparse", vector, using="words")).points
    assert hit.id == 1 and hit.score == 5, hit
    info = await client.get_collection("sparse")
    assert list(info.config.params.sparse_vectors) == ["words"] and info.points_count == 1, info
    await client.delete_collection("sparse")
    await refused(client.create_collection("nothing"), "vectors_config is required")


async def writes(client):
    batch = models.Batch(ids=[10, UUID], vectors=[QUERY, QUERY], payloads=[{"a": 1}, {}])
    completed(await client.upsert(NAME, batch))
    completed(await client.upsert(NAME, [models.PointStruct(id=10, vector=QUERY, payload={"a": 1})], wait=False))
    completed(await client.update_vectors(NAME, [models.PointVectors(id=10, vector=[1, 2, 3, 4])]))
    completed(await client.set_payload(NAME, {"b": {"c": 2}}, points=[10]))
    completed(await client.set_payload(NAME, {"d": 3}, points=[10], key="b"))
    [record] = await client.retrieve(NAME, [10])
    assert record.payload == {"a": 1, "b": {"c": 2, "d": 3}}, record
    completed(await client.overwrite_payload(NAME, {"e": None}, points=[10]))
    completed(await client.delete_payload(NAME, ["e"], points=[10]))
    completed(await client.clear_payload(NAME, [10]))
    completed(await client.delete(NAME, [10]))
    completed(await client.delete(NAME, models.Filter(must=[models.HasIdCondition(has_id=[UUID])])))
    assert (await client.count(NAME)).count == len(CITIES)


async def batches_of_writes(client):
    selected = [20]
    results = await client.batch_update_points(
        NAME,
        [
            models.UpsertOperation(upsert=models.PointsList(points=[models.PointStruct(id=20, vector=QUERY, payload={"a": 1})])),
            models.SetPayloadOperation(set_payload=models.SetPayload(payload={"b": 2}, points=selected)),
            models.OverwritePayloadOperation(overwrite_payload=models.SetPayload(payload={"c": 3}, points=selected)),
            models.DeletePayloadOperation(delete_payload=models.DeletePayload(keys=["c"], points=selected)),
            models.ClearPayloadOperation(clear_payload=models.PointIdsList(points=selected)),
            models.UpdateVectorsOperation(update_vectors=models.UpdateVectors(points=[models.PointVectors(id=20, vector=QUERY)])),
            models.DeleteOperation(delete=models.PointIdsList(points=selected)),
        ],
    )
    assert len(results) == 7
    for result in results:
        completed(result)


async def uploads(client):
    """Many points in batches, as users load their data."""
    await client.upload_points(NAME, [models.PointStruct(id=number, vector=QUERY) for number in range(100, 200)], batch_size=16, wait=True)
    await client.upload_collection(NAME, vectors=[QUERY] * 50, payload=[{"n": n} for n in range(50)], ids=range(200, 250), batch_size=16, wait=True)
    assert (await client.count(NAME)).count == len(CITIES) + 150
    completed(await client.delete(NAME, list(range(100, 250))))


async def reads(client):
    records = await client.retrieve(NAME, [1, 99], with_vectors=True)
    assert [record.id for record in records] == [1] and len(records[0].vector) == 4, records
    page, following = await client.scroll(NAME, limit=3)
    assert [record.id for record in page] == [1, 2, 3] and following == 4, (page, following)
    page, following = await client.scroll(NAME, scroll_filter=IS_BERLIN, with_payload=["city"])
    assert [record.payload for record in page] == [{"city": "Berlin"}] and following is None, page
    assert (await client.count(NAME, count_filter=IS_BERLIN, exact=True)).count == 1


async def field_indexes(client):
    schemas = {
        "city": models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=False, on_disk=False),
        "population": models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, lookup=True, range=True),
        "area": models.PayloadSchemaType.FLOAT,
        "capital": models.PayloadSchemaType.BOOL,
        "place": models.PayloadSchemaType.GEO,
        "founded": models.DatetimeIndexParams(type=models.DatetimeIndexType.DATETIME),
        "key": models.UuidIndexParams(type=models.UuidIndexType.UUID),
        "text": models.TextIndexParams(
            type=models.TextIndexType.TEXT, tokenizer=models.TokenizerType.WORD, min_token_len=2, max_token_len=20, lowercase=True, phrase_matching=True
        ),
    }
    for field, schema in schemas.items():
        completed(await client.create_payload_index(NAME, field, field_schema=schema))
    info = await client.get_collection(NAME)
    assert set(info.payload_schema) == set(schemas), info.payload_schema
    assert info.payload_schema["city"].points == 4 and info.payload_schema["capital"].data_type == models.PayloadSchemaType.BOOL, info.payload_schema
    facet = await client.facet(NAME, "city", exact=True)
    assert {hit.value: hit.count for hit in facet.hits} == {"Berlin": 1, "London": 1, "Hamburg": 1, "Lyon": 1}, facet
    assert {hit.value for hit in (await client.facet(NAME, "population")).hits} == {3_700_000, 8_900_000, 1_900_000}
    page, _ = await client.scroll(NAME, order_by=models.OrderBy(key="population", direction=models.Direction.DESC))
    assert [record.id for record in page] == [2, 1, 3] and page[0].order_value == 8_900_000, page
    since = models.Filter(must=[models.FieldCondition(key="founded", range=models.DatetimeRange(gte=datetime(1999, 1, 1)))])
    assert [record.id for record in (await client.scroll(NAME, scroll_filter=since))[0]] == [4]
    for field in schemas:
        completed(await client.delete_payload_index(NAME, field))


async def queries(client):
    async def ids(query=None, **options):
        return [point.id for point in (await client.query_points(NAME, query, **options)).points]

    [first, *_] = (await client.query_points(NAME, QUERY, with_payload=True, with_vectors=True)).points
    assert first.id == 4 and abs(first.score - 1.362) < 1e-5 and first.payload["city"] == "Lyon" and len(first.vector) == 4, first
    assert await ids(QUERY, limit=2, offset=1) == [1, 3]
    assert await ids(QUERY, query_filter=IS_BERLIN) == [1]
    assert await ids(QUERY, score_threshold=1.3) == [4]
    assert await ids(QUERY, search_params=models.SearchParams(hnsw_ef=64, exact=True)) == [4, 1, 3, 2]
    assert 4 not in await ids(4)
    assert len(await ids()) == 4
    assert len(await ids(models.SampleQuery(sample=models.Sample.RANDOM), limit=2)) == 2
    assert await ids(models.RecommendQuery(recommend=models.RecommendInput(positive=[1], negative=[2]))) == [3, 4]
    assert len(await ids(models.DiscoverQuery(discover=models.DiscoverInput(target=1, context=[models.ContextPair(positive=3, negative=2)])))) == 1
    assert len(await ids(models.ContextQuery(context=[models.ContextPair(positive=3, negative=2)]))) == 2
    assert (await ids(models.NearestQuery(nearest=QUERY, mmr=models.Mmr(diversity=0.5, candidates_limit=10))))[0] == 4
    both = [models.Prefetch(query=QUERY, limit=3), models.Prefetch(query=[1, 0, 0, 0], limit=3)]
    for fusion in [models.Fusion.RRF, models.Fusion.DBSF]:
        assert len(await ids(models.FusionQuery(fusion=fusion), prefetch=both)) == 4, fusion
    assert len(await ids(models.RrfQuery(rrf=models.Rrf(k=60)), prefetch=both)) == 4
    formula = models.SumExpression(sum=["$score", models.MultExpression(mult=[0.5, IS_BERLIN.must[0]])])
    assert (await ids(models.FormulaQuery(formula=formula), prefetch=both[0]))[0] == 1
    answers = await client.query_batch_points(NAME, [models.QueryRequest(query=QUERY, limit=1), models.QueryRequest(query=4, limit=2)])
    assert [len(answer.points) for answer in answers] == [1, 2], answers


async def groups(client):
    found = await client.query_points_groups(NAME, group_by="capital", query=QUERY, group_size=2, limit=5)
    assert all(group.hits for group in found.groups), found
    found = await client.query_points_groups(NAME, group_by="city", query=QUERY, with_lookup=None)
    assert {group.id for group in found.groups} == {"Berlin", "London", "Hamburg", "Lyon"}, found


async def matrices(client):
    pairs = await client.search_matrix_pairs(NAME, sample=4, limit=2)
    offsets = await client.search_matrix_offsets(NAME, sample=4, limit=2)
    assert len(pairs.pairs) == len(offsets.scores) == 8 and len(offsets.ids) == 4, (pairs, offsets)


async def filters(client):
    field, condition = models.FieldCondition, []
    condition += [field(key="city", match=match) for match in [models.MatchAny(any=["Berlin"]), models.MatchExcept(**{"except": ["Berlin"]}), models.MatchText(text="Berlin")]]
    condition += [field(key="population", range=models.Range(gt=1, lte=9_000_000)), field(key="city", values_count=models.ValuesCount(gte=1))]
    condition += [models.IsEmptyCondition(is_empty=models.PayloadField(key="none")), models.IsNullCondition(is_null=models.PayloadField(key="city"))]
    condition += [models.HasIdCondition(has_id=[1, UUID]), models.HasVectorCondition(has_vector="")]
    condition += [models.NestedCondition(nested=models.Nested(key="list", filter=IS_BERLIN))]
    here = models.GeoPoint(lon=13.4, lat=52.5)
    condition += [field(key="place", geo_radius=models.GeoRadius(center=here, radius=1000.0))]
    for each in condition:
        await client.count(NAME, count_filter=models.Filter(must=[each], must_not=[each], should=[each]))
        await client.count(NAME, count_filter=models.Filter(min_should=models.MinShould(conditions=[each], min_count=1)))


async def aliases(client):
    create = models.CreateAliasOperation(create_alias=models.CreateAlias(collection_name=NAME, alias_name="towns"))
    rename = models.RenameAliasOperation(rename_alias=models.RenameAlias(old_alias_name="towns", new_alias_name="places"))
    assert await client.update_collection_aliases([create, rename])
    assert [alias.alias_name for alias in (await client.get_collection_aliases(NAME)).aliases] == ["places"]
    assert [alias.collection_name for alias in (await client.get_aliases()).aliases] == [NAME]
    assert (await client.count("places")).count == len(CITIES)
    assert await client.update_collection_aliases([models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name="places"))])


async def snapshots(client):
    made = await client.create_snapshot(NAME)
    assert made.size > 0 and [each.name for each in await client.list_snapshots(NAME)] == [made.name], made
    assert await client.delete_snapshot(NAME, made.name)
    for call in [client.delete_snapshot(NAME, "none"), client.delete_full_snapshot("none")]:
        await refused(call, "none")
    whole = await client.create_full_snapshot()
    assert whole.name in [each.name for each in await client.list_full_snapshots()]
    assert await client.delete_full_snapshot(whole.name)


async def shard_keys(client):
    plane = models.VectorParams(size=4, distance=models.Distance.DOT)
    assert await client.create_collection("keyed", vectors_config=plane, sharding_method=models.ShardingMethod.CUSTOM)
    assert await client.create_shard_key("keyed", "berlin")
    assert await client.create_shard_key("keyed", 7, shards_number=2)
    assert [described.key for described in (await client.list_shard_keys("keyed")).shard_keys] == ["berlin", 7]
    completed(await client.upsert("keyed", CITIES, shard_key_selector="berlin"))
    completed(await client.upsert("keyed", CITIES[:1], shard_key_selector=[7]))
    await refused(client.upsert("keyed", CITIES), "Shard key not specified")
    await refused(client.count("keyed", shard_key_selector="rome"), "rome")
    hits = (await client.query_points("keyed", QUERY, limit=9, shard_key_selector=7)).points
    assert [(hit.id, hit.shard_key) for hit in hits] == [(1, 7)], hits
    either = models.ShardKeyWithFallback(target="rome", fallback="berlin")
    points, _ = await client.scroll("keyed", limit=9, shard_key_selector=either)
    assert [(point.id, point.shard_key) for point in points] == [(id, "berlin") for id in [1, 2, 3, 4]], points
    completed(await client.delete("keyed", [1], shard_key_selector="berlin"))
    assert (await client.count("keyed")).count == 4
    assert await client.delete_shard_key("keyed", "berlin")
    assert (await client.count("keyed")).count == 1
    assert await client.delete_collection("keyed")


async def resharding(client):
    """Begun and given up; the protocol of gRPC has no request for either."""
    plane = models.VectorParams(size=4, distance=models.Distance.DOT)
    assert await client.create_collection("divided", vectors_config=plane, **held(3))
    start = models.StartReshardingOperation(start_resharding=models.StartResharding(direction=models.ReshardingDirection.UP))
    for operation in [start, models.AbortReshardingOperation(abort_resharding={})]:
        await answered_or_refused(client.cluster_collection_update("divided", operation))
    info = await client.collection_cluster_info("divided")
    assert info.shard_count == 3 and not info.resharding_operations, info
    assert await client.delete_collection("divided")


async def optimizations(client):
    report = await client.get_optimizations(NAME, with_=["queued", "completed", "idle_segments"])
    assert report.summary is not None and report.running is not None, report


async def refusals(client):
    await refused(client.query_points("none", QUERY), "Collection not found: none")
    await refused(client.query_points(NAME, [1, 2]), "Dimension mismatch", "expected 4, got 2")
    await refused(client.upsert(NAME, [models.PointStruct(id=1, vector=[1])]), "Dimension mismatch", "expected 4, got 1")
    await refused(client.set_payload(NAME, {"a": 1}, points=[999]), "999")


async def cluster(client):
    """One node is no cluster: what only a cluster can do is refused, and what one node can report is reported."""
    for call in [client.cluster_status(), client.collection_cluster_info(NAME), client.list_shard_keys(NAME), client.cluster_telemetry()]:
        await answered_or_refused(call)
    move = models.MoveShardOperation(move_shard=models.MoveShard(shard_id=0, from_peer_id=1, to_peer_id=2))
    for call in [
        client.cluster_collection_update(NAME, move),
        client.create_shard_key(NAME, "a"),
        client.delete_shard_key(NAME, "a"),
        client.recover_current_peer(),
        client.remove_peer(7),
        client.create_shard_snapshot(NAME, 0),
        client.list_shard_snapshots(NAME, 0),
        client.delete_shard_snapshot(NAME, 0, "none"),
        client.recover_shard_snapshot(NAME, 0, "http://127.0.0.1/none"),
    ]:
        await answered_or_refused(call)


async def answered_or_refused(call):
    """A sentence of the service, or an answer that the client can read; never an answer that it cannot."""
    try:
        await call
    except Exception as error:
        assert "validation error" not in str(error), error


async def migration(client):
    """Into the engine that the client has within itself; the asynchronous client has the method, and does not implement it."""
    local = QdrantClient(":memory:")
    try:
        await client.migrate(local, collection_names=[NAME])
    except NotImplementedError:
        assert isinstance(client.unwrapped, AsyncQdrantClient)
        return
    assert local.count(NAME).count == len(CITIES)


async def recovery(client):
    await refused(client.recover_snapshot("recovered", "file:///none.snapshot"), "snapshot")


STEPS = [
    service,
    collections,
    every_setting_of_a_collection,
    a_collection_of_sparse_vectors_alone,
    writes,
    batches_of_writes,
    uploads,
    reads,
    field_indexes,
    queries,
    groups,
    matrices,
    filters,
    aliases,
    snapshots,
    migration,
    recovery,
    optimizations,
    refusals,
    cluster,
]
# What asks no service: they describe models of embeddings.
LOCAL = {name for name in dir(QdrantClient) if name.startswith("list_") and name.endswith("_models")} | {"get_embedding_size"}
# It deletes a collection and creates one.
DEPRECATED = {"recreate_collection"}


def steps():
    return [*STEPS, shard_keys, resharding] if held(3) else STEPS


async def program(manner, url, grpc_port):
    transport, kind = manner.split()
    client_class = AsyncQdrantClient if kind == "async" else QdrantClient
    called = set()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        client = Calls(client_class(url=url, grpc_port=grpc_port, prefer_grpc=transport == "grpc", timeout=TIMEOUT_SECONDS), called)
        await client.create_collection(NAME, vectors_config=models.VectorParams(size=4, distance=models.Distance.DOT), **held(3))
        completed(await client.upsert(NAME, CITIES))
        verdict = await run(steps(), client)
        await client.close()
    verdict["never_called"] = sorted(public_methods(client_class) - called - LOCAL - DEPRECATED)
    verdict["warnings"] = sorted({str(warning.message) for warning in warned})
    return verdict


main(program, manners=["rest sync", "rest async", "grpc sync", "grpc async"])
