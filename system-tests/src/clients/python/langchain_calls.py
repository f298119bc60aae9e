# SPDX-License-Identifier: Apache-2.0
"""langchain-qdrant over REST and gRPC: `langchain_calls.py <REST url> <gRPC port>`."""

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_qdrant import QdrantVectorStore, RetrievalMode, SparseEmbeddings, SparseVector
from letters import letters_of
from qdrant_client import models
from verdict import TIMEOUT_SECONDS, main, run

TEXTS = ["a sextant measures angles", "a compass shows north", "salt water everywhere"]
KINDS = [{"kind": "tool"}, {"kind": "tool"}, {"kind": "sea"}]
OF_SEA = models.Filter(must=[models.FieldCondition(key="metadata.kind", match=models.MatchValue(value="sea"))])


class Letters(Embeddings):
    def embed_query(self, text):
        return letters_of(text)

    def embed_documents(self, texts):
        return [letters_of(text) for text in texts]


class SparseLetters(SparseEmbeddings):
    def embed_query(self, text):
        counts = enumerate(letters_of(text))
        indices, values = zip(*[(index, value) for index, value in counts if value > 0])
        return SparseVector(indices=list(indices), values=list(values))

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]


async def a_store_of_dense_vectors(options):
    store = QdrantVectorStore.from_texts(TEXTS, Letters(), metadatas=KINDS, collection_name="dense", **options)
    [(best, score)] = store.similarity_search_with_score("sextant angle measures", k=1)
    assert best.page_content == TEXTS[0] and best.metadata["kind"] == "tool" and score > 0.9, (best, score)
    assert [found.page_content for found in store.similarity_search("a sextant", k=3, filter=OF_SEA)] == [TEXTS[2]]
    assert len(store.max_marginal_relevance_search("a sextant", k=2, fetch_k=3)) == 2
    [added] = store.add_documents([Document(page_content="zzz", metadata={"kind": "noise"})])
    assert [found.page_content for found in store.get_by_ids([added])] == ["zzz"]
    assert [found.page_content for found in await store.asimilarity_search("zz", k=1)] == ["zzz"]
    assert store.delete([added]) and store.get_by_ids([added]) == []
    retriever = store.as_retriever(search_kwargs={"k": 1})
    assert [found.page_content for found in retriever.invoke("compass north")] == [TEXTS[1]]


async def a_store_of_sparse_vectors_alone(options):
    store = QdrantVectorStore.from_texts(
        TEXTS, sparse_embedding=SparseLetters(), retrieval_mode=RetrievalMode.SPARSE, collection_name="sparse", **options
    )
    assert store.similarity_search("everywhere", k=1)[0].page_content == TEXTS[2]


async def a_store_of_both(options):
    QdrantVectorStore.from_texts(
        TEXTS, Letters(), sparse_embedding=SparseLetters(), retrieval_mode=RetrievalMode.HYBRID, collection_name="both", **options
    )
    store = QdrantVectorStore.from_existing_collection(
        embedding=Letters(), sparse_embedding=SparseLetters(), retrieval_mode=RetrievalMode.HYBRID, collection_name="both", **options
    )
    assert store.similarity_search("sextant angle measures", k=1)[0].page_content == TEXTS[0]


async def program(transport, url, grpc_port):
    options = {"url": url, "prefer_grpc": transport == "grpc", "grpc_port": grpc_port, "timeout": TIMEOUT_SECONDS}
    return await run([a_store_of_dense_vectors, a_store_of_sparse_vectors_alone, a_store_of_both], options)


main(program)
