# SPDX-License-Identifier: Apache-2.0
"""Every public method of actian-vectorai-client, over gRPC and REST: `actian_calls.py <REST url> <gRPC port>`."""

import asyncio

import numpy as np
from actian_vectorai import (
    AsyncVectorAIClient,
    Distance,
    Field,
    FilterBuilder,
    HnswConfigDiff,
    OptimizersConfigDiff,
    PointStruct,
    PrefetchQuery,
    SearchParams,
    VectorAIClient,
    VectorParams,
)
from actian_vectorai.exceptions import ConnectionError
from actian_vectorai.transport.rest import RESTTransport
from verdict import TIMEOUT_SECONDS, Calls, main, public_methods, refused, run

NAME = "cities"
PASSWORD = "Correct-Horse-42"
QUERY = [0.2, 0.1, 0.9, 0.7]
VECTORS = [[0.05, 0.61, 0.76, 0.74], [0.19, 0.81, 0.75, 0.11], [0.36, 0.55, 0.47, 0.94]]
CITIES = ["Berlin", "London", "Hamburg"]
POINTS = [PointStruct(id=number, vector=vector, payload={"city": city}) for number, (vector, city) in enumerate(zip(VECTORS, CITIES, strict=True), 1)]
IS_BERLIN = FilterBuilder().must(Field("city").eq("Berlin")).build()
DOT = VectorParams(size=4, distance=Distance.Dot)


class Fixture:
    """The client, its namespaces and its REST transport, each of which notes what was called."""

    def __init__(self, client, rest):
        self.called = {name: set() for name in ["client", "collections", "points", "vde", "auth", "rest"]}
        self.client = Calls(client, self.called["client"])
        self.rest = Calls(rest, self.called["rest"])
        for name in ["collections", "points", "vde", "auth"]:
            setattr(self, name, Calls(getattr(client, name), self.called[name]))

    def never_called(self):
        kinds = {name: type(getattr(self, name).unwrapped) for name in self.called}
        return {name: sorted(public_methods(kind) - self.called[name]) for name, kind in kinds.items()}


def completed(result):
    assert result.status == 2, result


async def health(fixture):
    assert "sextant" in (await fixture.client.health_check())["title"]


async def collections(fixture):
    it = fixture.collections
    assert await it.create("other", vectors_config={"a": DOT}, hnsw_config=HnswConfigDiff(m=8))
    assert await it.exists("other") and "other" in await it.list()
    assert (await it.get_info("other")).points_count == 0
    assert await it.update("other", optimizers_config=OptimizersConfigDiff(indexing_threshold=5000))
    assert (await it.get_or_create("other", vectors_config=DOT)) is not None
    assert await it.recreate("other", vectors_config=DOT)
    assert await it.delete("other") and not await it.exists("other")
    # As specified for this service: what is not there is no error, and the client has nothing to raise.
    assert await it.delete("other") is False
    await refused(it.get_info("other"), "other")


async def writes(fixture):
    it = fixture.points
    completed(await it.upsert_single(NAME, 10, QUERY, {"a": 1}))
    completed(await it.update_vectors(NAME, [{"id": 10, "vector": [1.0, 2.0, 3.0, 4.0]}]))
    completed(await it.set_payload(NAME, {"b": 2}, ids=[10]))
    assert (await it.get(NAME, [10], with_vectors=True))[0].payload == {"a": 1, "b": 2}
    completed(await it.overwrite_payload(NAME, {"c": {"d": [1, None]}}, ids=[10]))
    completed(await it.delete_payload(NAME, ["c"], ids=[10]))
    completed(await it.clear_payload(NAME, ids=[10]))
    completed(await it.delete_by_ids(NAME, [10]))
    await refused(it.delete(NAME, ids=[10]), "10")
    completed(await it.delete(NAME, filter=FilterBuilder().must(Field("city").eq("none")).build()))
    await fixture.client.upload_points(NAME, [PointStruct(id=number, vector=QUERY) for number in range(100, 200)], batch_size=16)
    assert await it.count(NAME) == 103
    completed(await it.delete(NAME, ids=list(range(100, 200)), track_ids=True))


async def reads(fixture):
    it = fixture.points
    assert [point.id for point in await it.get(NAME, [1, 99])] == [1]
    page, following = await it.scroll(NAME, limit=2)
    assert [point.id for point in page] == [1, 2] and following == 3, (page, following)
    pages = [page async for page in it.unwrapped.scroll_all(NAME, limit=2)]
    fixture.called["points"].add("scroll_all")
    assert [len(page) for page in pages] == [2, 1], pages
    assert await it.count(NAME, filter=IS_BERLIN) == 1


async def searches(fixture):
    it = fixture.points

    def ids(hits):
        return [hit.id for hit in hits]

    assert ids(await it.search(NAME, QUERY, limit=2, with_vectors=True)) == [1, 3]
    assert ids(await it.search(NAME, np.array(QUERY), filter=IS_BERLIN, params=SearchParams(hnsw_ef=64), score_threshold=0.1)) == [1]
    assert [ids(hits) for hits in await it.search_batch(NAME, [{"vector": QUERY, "limit": 1}, {"vector": QUERY, "limit": 2}])] == [[1], [1, 3]]
    assert ids(await it.query(NAME, query=QUERY, limit=1)) == [1]
    assert ids(await it.query(NAME, query={"fusion": "RRF"}, prefetch=[PrefetchQuery(query=QUERY, limit=2)])) == [1, 3]
    assert [ids(hits) for hits in await it.query_batch(NAME, [{"query": QUERY, "limit": 1}])] == [[1]]


async def engine_operations(fixture):
    """Its service of engine operations is not served; the page of this client says why."""
    it = fixture.vde
    for call in [it.open_collection, it.close_collection, it.compact_collection, it.flush, it.get_optimizations, it.get_state, it.get_stats]:
        await refused(call(NAME), "not implemented")
    for call in [it.get_vector_count, it.optimize, it.rebuild_index, it.trigger_rebuild, it.get_rebuild_task, it.cancel_rebuild_task]:
        await refused(call(NAME), "not implemented")
    for call in [it.wait_for_ready, it.wait_for_rebuild]:
        await refused(call(NAME, timeout=2.0, poll_interval=0.5), "not implemented")
    await refused(it.import_dataset(NAME, "none"), "not implemented")
    await refused(it.list_rebuild_tasks(), "not implemented")


async def calls_over_rest(fixture):
    it = fixture.rest
    assert "sextant" in (await it.health_check())["title"]
    assert await it.collections_create("rest", {"vectors": {"size": 4, "distance": "Dot"}})
    assert await it.collections_exists("rest") and "rest" in await it.collections_list()
    assert await it.collections_update("rest", {"optimizers_config": {"indexing_threshold": 5000}})
    assert (await it.collections_get("rest"))["status"] == "green"
    done = {"status": "Completed"}
    chosen = {"ids": [1]}
    for result in [
        await it.points_upsert("rest", [{"id": 1, "vector": QUERY, "payload": {"a": 1}}]),
        await it.points_update_vectors("rest", [{"id": 1, "vector": QUERY}]),
        await it.points_set_payload("rest", {"b": 2}, **chosen),
        await it.points_overwrite_payload("rest", {"c": 3}, **chosen),
        await it.points_delete_payload("rest", ["c"], **chosen),
        await it.points_clear_payload("rest", **chosen),
    ]:
        assert result.items() >= done.items(), result
    assert await it.points_count("rest", exact=True) == 1
    assert (await it.points_get("rest", [1], with_vector=True))[0]["vector"] is not None
    assert [hit["id"] for hit in await it.points_search("rest", QUERY, 1)] == [1]
    assert [hit["id"] for hit in (await it.points_query("rest", {"query": QUERY}))["points"]] == [1]
    assert [len(hits) for hits in await it.points_search_batch("rest", [{"vector": QUERY, "limit": 1}])] == [1]
    assert [len(hits["points"]) for hits in await it.points_query_batch("rest", [{"query": QUERY}])] == [1]
    assert (await it.points_delete("rest", ids=[1])).items() >= done.items()
    assert await it.collections_delete("rest")


async def requests_over_rest(fixture):
    """The four verbs that its namespaces are made of."""
    it = fixture.rest
    assert (await it.get("/collections"))["status"] == "ok"
    await it.unwrapped._request("PUT", "/collections/rest", json={"vectors": {"size": 4, "distance": "Dot"}})
    assert (await it.post("/collections/rest/points/scroll", json={}))["result"]["points"] == []
    assert (await it.patch("/collections/rest", json={"hnsw_config": {"m": 8}}))["result"] is True
    assert (await it.delete("/collections/rest"))["result"] is True


async def administration(fixture):
    it = fixture.auth
    assert await it.admin_exists() is False
    await it.create_admin(PASSWORD)
    await refused(it.create_admin(PASSWORD), "already exists")
    jwt = {"admin_jwt": (await it.login(PASSWORD)).token}
    assert await it.is_auth_enabled(**jwt) is False
    assert await it.set_auth_enabled(True, **jwt) is True
    assert await it.is_auth_enabled(**jwt) is True
    created = await it.create_api_key("first", **jwt)
    assert created.description == "" and created.will_expire is False and created.expired_at is None, created
    rotated = await it.rotate_api_key(created.id, **jwt)
    assert rotated.id == created.id and rotated.api_key != created.api_key and rotated.description == "", rotated
    lasting = await it.create_api_key("second", permission="read", will_expire=True, expires_in_seconds=60, **jwt)
    assert lasting.expired_at is not None, lasting
    # The answer is a list, as specified for this service; the client takes an object alone.
    await refused(it.list_api_keys(**jwt), "ListApiKeysResponse")
    await it.delete_api_key(created.id, **jwt)
    # There is one admin for good, and a new password is given without the old one, from the same machine alone.
    await refused(it.delete_admin(**jwt), "")
    await refused(it.reset_admin_password(PASSWORD, "Another-Horse-43"), "")
    assert await it.set_auth_enabled(False, **jwt) is False


async def the_client_that_blocks(fixture):
    """It has the same methods, each of which waits for the asynchronous one."""
    await asyncio.to_thread(call_and_wait, fixture.client.unwrapped._config)


def call_and_wait(config):
    with VectorAIClient(config.url, rest_url=config.rest_url, timeout=TIMEOUT_SECONDS) as client:
        assert "sextant" in client.health_check()["title"]
        client.collections.create("blocking", vectors_config=DOT)
        completed(client.points.upsert("blocking", POINTS))
        assert [hit.id for hit in client.points.search("blocking", QUERY, limit=1)] == [1]
        client.collections.delete("blocking")


STEPS = [
    health,
    collections,
    writes,
    reads,
    searches,
    engine_operations,
    calls_over_rest,
    requests_over_rest,
    the_client_that_blocks,
    administration,
]


async def connect(client):
    """The client gives a service 5 s for its first answer, whatever its timeout; on a busy machine the service takes longer to load its gRPC interface."""
    for _ in range(20):
        try:
            return await client.connect()
        except ConnectionError:
            await client.close()
    raise AssertionError("the service does not answer")


async def program(_manner, url, grpc_port):
    client = AsyncVectorAIClient(f"127.0.0.1:{grpc_port}", rest_url=url, max_retries=0, timeout=TIMEOUT_SECONDS)
    await connect(client)
    fixture = Fixture(client, RESTTransport(url, timeout=TIMEOUT_SECONDS))
    await fixture.collections.create(NAME, vectors_config=DOT)
    completed(await fixture.points.upsert(NAME, POINTS))
    verdict = await run(STEPS, fixture)
    await fixture.rest.aclose()
    await fixture.rest.close()
    await fixture.client.close()
    await fixture.client.connect()
    await fixture.client.close()
    verdict["never_called"] = fixture.never_called()
    return verdict


main(program, manners=["grpc and rest"])
