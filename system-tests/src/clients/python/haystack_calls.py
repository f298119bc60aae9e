# SPDX-License-Identifier: Apache-2.0
"""qdrant-haystack over REST and gRPC: `haystack_calls.py <REST url> <gRPC port>`."""

from haystack import Document
from haystack.dataclasses import SparseEmbedding
from haystack.document_stores.types import DuplicatePolicy
from haystack_integrations.components.retrievers.qdrant import QdrantEmbeddingRetriever, QdrantHybridRetriever, QdrantSparseEmbeddingRetriever
from haystack_integrations.document_stores.qdrant import QdrantDocumentStore
from letters import letters_of
from verdict import TIMEOUT_SECONDS, main, run

TEXTS = ["a sextant measures angles", "a compass shows north", "salt water everywhere"]
OF_TOOLS = {"field": "meta.kind", "operator": "==", "value": "tool"}


def sparse(text):
    counted = [(index, value) for index, value in enumerate(letters_of(text)) if value > 0]
    return SparseEmbedding(indices=[index for index, _ in counted], values=[value for _, value in counted])


def documents():
    for text, kind in zip(TEXTS, ["tool", "tool", "sea"], strict=True):
        meta = {"kind": kind, "length": len(text)}
        yield Document(content=text, meta=meta, embedding=letters_of(text), sparse_embedding=sparse(text))


async def documents_are_written_counted_and_filtered(store):
    assert store.write_documents(list(documents()), policy=DuplicatePolicy.OVERWRITE) == 3
    assert store.count_documents() == 3 and store.count_documents_by_filter(OF_TOOLS) == 2
    assert {document.content for document in store.filter_documents(OF_TOOLS)} == set(TEXTS[:2])
    long = {"operator": "AND", "conditions": [OF_TOOLS, {"field": "meta.length", "operator": ">", "value": 22}]}
    assert [document.content for document in store.filter_documents(long)] == TEXTS[:1]
    assert store.get_metadata_field_min_max("length") == {"min": 21, "max": 25}
    assert store.count_unique_metadata_by_filter(OF_TOOLS, ["kind"]) == {"kind": 1}


async def documents_are_found(store):
    def first(retriever, **options):
        return retriever.run(**options)["documents"][0].content

    assert first(QdrantEmbeddingRetriever(store), query_embedding=letters_of("sextant angle measures")) == TEXTS[0]
    assert first(QdrantEmbeddingRetriever(store, filters=OF_TOOLS), query_embedding=letters_of("salt water")) in TEXTS[:2]
    assert first(QdrantSparseEmbeddingRetriever(store), query_sparse_embedding=sparse("everywhere")) == TEXTS[2]
    both = {"query_embedding": letters_of("compass north"), "query_sparse_embedding": sparse("compass north")}
    assert first(QdrantHybridRetriever(store), **both) == TEXTS[1]
    grouped = QdrantEmbeddingRetriever(store, group_by="meta.kind", group_size=1).run(query_embedding=letters_of("sextant"))
    assert len(grouped["documents"]) == 2, grouped


async def documents_are_changed_and_deleted(store):
    assert store.update_by_filter(OF_TOOLS, {"checked": True}) == 2
    assert store.count_documents_by_filter({"field": "meta.checked", "operator": "==", "value": True}) == 2
    [water] = [document for document in store.filter_documents() if document.content == TEXTS[2]]
    store.delete_documents([water.id])
    assert store.delete_by_filter(OF_TOOLS) == 2 and store.count_documents() == 0


async def the_same_without_blocking(store):
    assert await store.write_documents_async(list(documents())) == 3
    found = await QdrantEmbeddingRetriever(store).run_async(query_embedding=letters_of("salt water everywhere"))
    assert found["documents"][0].content == TEXTS[2], found
    await store.delete_all_documents_async()
    assert await store.count_documents_async() == 0


async def program(transport, url, grpc_port):
    store = QdrantDocumentStore(
        url=url,
        prefer_grpc=transport == "grpc",
        grpc_port=grpc_port,
        timeout=TIMEOUT_SECONDS,
        index="documents",
        embedding_dim=26,
        use_sparse_embeddings=True,
        recreate_index=True,
        payload_fields_to_index=[{"field_name": "meta.kind", "field_schema": "keyword"}],
    )
    steps = [documents_are_written_counted_and_filtered, documents_are_found, documents_are_changed_and_deleted, the_same_without_blocking]
    return await run(steps, store)


main(program)
