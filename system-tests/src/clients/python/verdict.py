# SPDX-License-Identifier: Apache-2.0
"""How the programs here run and what they print at their end: by the manner of the calls, which steps passed, and which failed and why."""

import asyncio
import inspect
import json
import os
import sys
import traceback
from urllib.parse import quote

import httpx

# Clients give up after 5 s unless they are told otherwise, which is short where many tests share a machine.
TIMEOUT_SECONDS = 120


# How collections are held where the programs are told `shards`: several nodes have a part each.
IN_SHARDS = {"shard_number": 3, "replication_factor": 2}


def held(position):
    """The settings of a new collection, by the argument at that position."""
    return IN_SHARDS if sys.argv[position:] == ["shards"] else {}


class Calls:
    """A client whose methods are all awaited, whether they are coroutines or not, and which notes what was called."""

    def __init__(self, client, names):
        self.unwrapped, self._names = client, names

    def __getattr__(self, name):
        member = getattr(self.unwrapped, name)

        async def call(*arguments, **options):
            self._names.add(name)
            result = member(*arguments, **options)
            return await result if inspect.isawaitable(result) else result

        return call


def public_methods(kind):
    return {name for name, _ in inspect.getmembers(kind, inspect.isroutine) if not name.startswith("_")}


async def run(steps, *arguments):
    """Runs every step, also those that come after one that failed."""
    verdict = {"passed": [], "failed": {}}
    for step in steps:
        try:
            await step(*arguments)
            verdict["passed"].append(step.__name__)
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[0].lineno
            verdict["failed"][step.__name__] = f"line {place}: {type(error).__name__}: {str(error)[:500]}"
    return verdict


async def refused(call, *parts):
    """Awaits a call that must be refused with a text that has all the parts."""
    try:
        result = await call
    except Exception as error:
        missing = [part for part in parts if part not in str(error)]
        assert not missing, f"{missing} not in: {error}"
        return
    raise AssertionError(f"not refused, but answered {result}")


def main(program, manners=("rest", "grpc")):
    """Runs a program in every manner, or those that the variable MANNERS has, each on an empty service: `program.py <REST url> <gRPC port>`; of several nodes,
    joined by commas, each manner at the next."""
    chosen = os.environ.get("MANNERS", ",".join(manners)).split(",")
    nodes = list(zip(sys.argv[1].split(","), map(int, sys.argv[2].split(","))))
    verdicts = {}
    for index, manner in enumerate(manner for manner in manners if manner in chosen):
        url, grpc_port = nodes[index % len(nodes)]
        if verdicts:
            empty(url)
        verdicts[manner] = asyncio.run(program(manner, url, grpc_port))
    json.dump(verdicts, sys.stdout)


def empty(url):
    with httpx.Client(base_url=url, timeout=TIMEOUT_SECONDS) as service:
        # A node answers a write of its own when it has done all that others acknowledged before.
        service.delete("/collections/none").raise_for_status()
        for collection in service.get("/collections").json()["result"]["collections"]:
            service.delete(f"/collections/{quote(collection['name'], safe='')}").raise_for_status()
