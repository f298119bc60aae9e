# SPDX-License-Identifier: Apache-2.0
"""mem0ai, which speaks REST alone: `mem0_calls.py <REST url> <gRPC port>`. Memories are kept as they are given, so no language model is asked."""

import os
import tempfile

os.environ["MEM0_TELEMETRY"] = "False"
os.environ["MEM0_DIR"] = tempfile.mkdtemp()

from letters import letters_of  # noqa: E402
from mem0 import Memory  # noqa: E402
from mem0.embeddings.base import EmbeddingBase  # noqa: E402
from mem0.llms.base import LLMBase  # noqa: E402
from mem0.utils.factory import EmbedderFactory, LlmFactory  # noqa: E402
from qdrant_client import QdrantClient  # noqa: E402
from verdict import TIMEOUT_SECONDS, main, run  # noqa: E402

TEXTS = ["Ada likes sextants", "Ada sails on salt water", "Ada owns a compass"]


class Letters(EmbeddingBase):
    def embed(self, text, memory_action=None):
        return letters_of(text)


class NoModel(LLMBase):
    """In place of one whose library takes a second to load."""

    def generate_response(self, *_arguments, **_options):
        raise AssertionError("a language model was asked")


def memory_at(url):
    client = QdrantClient(url=url, timeout=TIMEOUT_SECONDS)
    config = {"collection_name": "memories", "client": client, "embedding_model_dims": 26}
    EmbedderFactory.provider_to_class["openai"] = "__main__.Letters"
    LlmFactory.register_provider("openai", "__main__.NoModel")
    return Memory.from_config(
        {
            "vector_store": {"provider": "qdrant", "config": config},
            "embedder": {"provider": "openai", "config": {"api_key": "none"}},
            "llm": {"provider": "openai", "config": {"api_key": "none"}},
        }
    )


async def memories_are_added_and_found(memory):
    for text in TEXTS:
        memory.add(text, user_id="ada", metadata={"length": len(text)}, infer=False)
    memory.add("Grace writes compilers", user_id="grace", infer=False)
    listed = memory.get_all(filters={"user_id": "ada"})["results"]
    assert sorted(each["memory"] for each in listed) == sorted(TEXTS), listed
    found = memory.search("who sails on salt water", filters={"user_id": "ada"}, top_k=1)["results"]
    assert [each["memory"] for each in found] == [TEXTS[1]], found
    long = memory.search("Ada", filters={"user_id": "ada", "length": {"gt": 20}})["results"]
    assert [each["memory"] for each in long] == [TEXTS[1]], long


async def memories_are_changed_and_deleted(memory):
    [first, *_] = memory.search("compass", filters={"user_id": "ada"})["results"]
    memory.update(first["id"], "Ada owns a chart")
    assert memory.get(first["id"])["memory"] == "Ada owns a chart"
    memory.delete(first["id"])
    memory.delete_all(user_id="ada")
    assert memory.get_all(filters={"user_id": "ada"})["results"] == []
    assert len(memory.get_all(filters={"user_id": "grace"})["results"]) == 1
    memory.reset()


async def program(_transport, url, _grpc_port):
    return await run([memories_are_added_and_found, memories_are_changed_and_deleted], memory_at(url))


main(program, manners=["rest"])
