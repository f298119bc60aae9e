# SPDX-License-Identifier: Apache-2.0
"""Runs the programs here one after the other: `programs.py <REST url> <gRPC port> <program> [<program> ...]`, each with its arguments after commas;
of several nodes of one service, urls and ports are joined by commas.

What takes long is the import of the clients, which share most of what they import. Each program finds an empty service. Printed is what each
printed, or the traceback of what ended it.
"""

import contextlib
import io
import json
import os
import runpy
import sys
import traceback

from verdict import empty


def outcome_of(program, arguments):
    sys.argv = [program, *arguments]
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(program, run_name="__main__")
    except BaseException:
        return {"failed": traceback.format_exc()}
    return {"printed": printed.getvalue()}


def outcomes_of(url, grpc_port, programs):
    for each in programs:
        empty(url.split(",")[0])
        program, *more = each.split(",")
        yield os.path.basename(program), outcome_of(program, [url, grpc_port, *more])


outcomes = dict(outcomes_of(sys.argv[1], sys.argv[2], sys.argv[3:]))
json.dump(outcomes, sys.stdout)
