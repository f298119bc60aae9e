# SPDX-License-Identifier: Apache-2.0
"""llama-index-vector-stores-qdrant over REST and gRPC: `llama_index_calls.py <REST url> <gRPC port>`."""

from letters import letters_of
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores import FilterOperator, MetadataFilter, MetadataFilters, VectorStoreQuery
from llama_index.core.vector_stores.types import VectorStoreQueryMode
from llama_index.vector_stores.qdrant import QdrantVectorStore
from qdrant_client import AsyncQdrantClient, QdrantClient
from verdict import TIMEOUT_SECONDS, main, run

TEXTS = {"sextant": "a sextant measures angles", "compass": "a compass shows north", "water": "salt water everywhere"}


def nodes():
    for number, (name, text) in enumerate(TEXTS.items()):
        source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=f"document {name}")}
        identifier = f"00000000-0000-4000-8000-00000000000{number}"
        yield TextNode(id_=identifier, text=text, metadata={"name": name, "length": len(text)}, embedding=letters_of(text), relationships=source)


def filtered(*filters):
    return MetadataFilters(filters=[MetadataFilter(key=key, value=value, operator=operator) for key, value, operator in filters])


def query_of(text, **options):
    return VectorStoreQuery(query_embedding=letters_of(text), similarity_top_k=3, **options)


async def writes_and_queries(store):
    store.add(list(nodes()))
    found = store.query(query_of("sextant angle measures"))
    assert found.nodes[0].text == TEXTS["sextant"] and found.similarities[0] > 0.9, found
    cases = [
        (("name", "water", FilterOperator.EQ), ["water"]),
        (("name", ["water", "compass"], FilterOperator.IN), ["compass", "water"]),
        (("name", ["water"], FilterOperator.NIN), ["compass", "sextant"]),
        (("name", "water", FilterOperator.NE), ["compass", "sextant"]),
        (("length", 22, FilterOperator.GT), ["sextant"]),
        (("name", "water", FilterOperator.TEXT_MATCH), ["water"]),
    ]
    for condition, expected in cases:
        found = store.query(query_of("a", filters=filtered(condition)))
        assert sorted(node.metadata["name"] for node in found.nodes) == expected, (condition, found)
    assert len((store.query(query_of("a", mode=VectorStoreQueryMode.MMR))).nodes) == 3


async def reads_and_deletes(store):
    [water] = store.get_nodes(filters=filtered(("name", "water", FilterOperator.EQ)))
    store.delete_nodes(node_ids=[water.node_id])
    store.delete("document compass")
    assert [node.metadata["name"] for node in store.get_nodes(filters=filtered(("length", 0, FilterOperator.GT)))] == ["sextant"]
    store.clear()
    assert not store.client.collection_exists("notes")


async def the_same_without_blocking(store):
    await store.async_add(list(nodes()))
    found = await store.aquery(query_of("salt water"))
    assert found.nodes[0].text == TEXTS["water"], found
    await store.adelete("document water")
    assert len(await store.aget_nodes(filters=filtered(("length", 0, FilterOperator.GT)))) == 2
    await store.aclear()


async def sparse_vectors_beside_dense_ones(store):
    def sparse(texts):
        counted = [[(index, value) for index, value in enumerate(letters_of(text)) if value > 0] for text in texts]
        return [[index for index, _ in each] for each in counted], [[value for _, value in each] for each in counted]

    hybrid = QdrantVectorStore("hybrid", client=store.client, enable_hybrid=True, sparse_doc_fn=sparse, sparse_query_fn=sparse)
    hybrid.add(list(nodes()))
    for mode in [VectorStoreQueryMode.HYBRID, VectorStoreQueryMode.SPARSE]:
        found = hybrid.query(query_of("salt water everywhere", query_str="salt water everywhere", mode=mode, sparse_top_k=3))
        assert found.nodes[0].text == TEXTS["water"], (mode, found)


async def program(transport, url, grpc_port):
    options = {"url": url, "prefer_grpc": transport == "grpc", "grpc_port": grpc_port, "timeout": TIMEOUT_SECONDS}
    store = QdrantVectorStore("notes", client=QdrantClient(**options), aclient=AsyncQdrantClient(**options))
    return await run([writes_and_queries, reads_and_deletes, the_same_without_blocking, sparse_vectors_beside_dense_ones], store)


main(program)
